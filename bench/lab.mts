import { packPackage } from '../tools/package.mts';
import type { Workflow, WorkflowNode } from '../tools/n8n/workflow.mts';
import { makeTemporaryFolder } from '../tools/temporary.mts';
import type { BareLoop } from './bareLoop.mts';
import { installBenchPackage } from './benchPackage.mts';
import { Child } from './child.mts';
import { BenchN8n } from './n8n.mts';
import type { Service } from './service.mts';

type Address = { url: string; apiKey: string };

/** Everything the subjects share: the service, the bare loop and one n8n, each in its own process. */
export class Lab {
	readonly tarball: string;
	readonly service: Child<Service>;
	readonly bareLoop: Child<BareLoop>;
	readonly address: Address;
	#n8n: Promise<BenchN8n> | undefined;

	private constructor(
		tarball: string,
		service: Child<Service>,
		bareLoop: Child<BareLoop>,
		address: Address,
	) {
		this.tarball = tarball;
		this.service = service;
		this.bareLoop = bareLoop;
		this.address = address;
	}

	static async open(): Promise<Lab> {
		const { tarball } = await packPackage();
		const service = new Child<Service>('service.mts');
		const bareLoop = new Child<BareLoop>('bareLoop.mts');
		const address = await service.ask('address');
		await bareLoop.ask('connect', address.url, address.apiKey);
		return new Lab(tarball, service, bareLoop, address);
	}

	/** The shared n8n, for everything that measures time. */
	async n8n(): Promise<BenchN8n> {
		return await (this.#n8n ??= this.#startShared());
	}

	async #startShared(): Promise<BenchN8n> {
		const userFolder = makeTemporaryFolder();
		installBenchPackage(userFolder);
		return await this.startN8n(userFolder);
	}

	/** A new n8n, for what measures memory or needs another user folder. */
	async startN8n(userFolder?: string): Promise<BenchN8n> {
		return await BenchN8n.start(this.tarball, this.address, userFolder);
	}

	/** Publishes a workflow in the shared n8n and returns a function that runs it. */
	async publish(
		makeWorkflow: (n8n: BenchN8n) => Workflow,
	): Promise<(input: Record<string, unknown>) => ReturnType<BenchN8n['run']>> {
		const n8n = await this.n8n();
		const workflow = makeWorkflow(n8n);
		const id = await n8n.publish(workflow);
		return async (input) => await n8n.run(id, workflow, input);
	}
}

export type NodeMaker = (n8n: BenchN8n) => WorkflowNode;
