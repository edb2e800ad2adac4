import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	sleep,
	type Workflow,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { PageAudiencePollingTrigger } from '../../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import { makeAdditionalData, makeWorkflowOf } from '../additionalData.mts';

/**
 * How n8n polls: `memory` keeps one state while a workflow is active and stores it when a poll emits, `scheduler` starts
 * each poll from what is stored, and `durable` stores the state of every poll but the one at publishing.
 */
export type PollingEngine = 'memory' | 'scheduler' | 'durable';

let lastId = 0;

/** What n8n has at hand when a poll begins. */
interface Loaded {
	workflow: Workflow;
	mode: WorkflowActivateMode;
	/** All polls of one activation have one. With the scheduler, each has its own, of the mode `update`. */
	context?: PollContext;
	cursor?: IDataObject;
}

/** A workflow with the polling trigger, polled as n8n does, in n8n's own context. */
export class PolledWorkflow {
	/** Of each execution that a poll started. */
	readonly executions: INodeExecutionData[][] = [];
	/** Of each failed execution that a poll made. */
	readonly failures: Error[] = [];
	readonly log: string[] = [];
	/** As in n8n's database. */
	staticData: IDataObject = {};
	parameters: INodeParameters;
	/** n8n takes it as it is when it is read. */
	readonly credential = { baseUrl: 'https://api.example', apiKey: 'the-api-key' };
	name = 'Page Audience Polling Trigger';
	readonly engine: PollingEngine;
	/** n8n drops what the next poll returns, as when the workflow was changed meanwhile. */
	dropsNext = false;

	readonly #id = `polled-${++lastId}`;
	/** Another one after n8n was killed: what the process remembered is lost. */
	#process = 0;
	#active?: Loaded;
	/** With durable cursors, in a table of its own. */
	#cursor?: IDataObject;

	constructor(parameters: INodeParameters, engine: PollingEngine) {
		this.parameters = parameters;
		this.engine = engine;
	}

	onLog(_line: string): void {}

	get items(): IDataObject[] {
		return this.executions.flat().map(({ json }) => json);
	}

	/** What the failed executions said. */
	get failed(): string[] {
		return this.failures.map(({ message }) => message);
	}

	/** Publishes, or starts n8n with the workflow published: the first poll is a test. */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<void> {
		const loaded: Loaded = { workflow: this.#makeWorkflow(), mode };
		const result = await this.#poll(loaded, { isTest: true });
		if (result) this.executions.push(result[0]);
		this.#active = loaded;
		this.#store(loaded);
	}

	deactivate(): void {
		this.#active = undefined;
	}

	/** n8n ends in an instant and starts again. Its scheduler tries nothing then: it knows from the database what to poll. */
	async kill(): Promise<void> {
		this.#process++;
		this.#active = undefined;
		if (this.engine === 'memory') await this.activate('init');
		else this.#active = { workflow: this.#makeWorkflow(), mode: 'update' };
	}

	/** n8n is killed when the poll is done and n8n has neither stored nor started anything. */
	async killInPoll(): Promise<void> {
		await this.#poll(this.#load(), { isLost: true }).catch(() => undefined);
		await this.kill();
	}

	/** One poll at its time. */
	async tick(): Promise<void> {
		await this.#tick(this.#load());
	}

	/** One poll, and some time after it another one whose state n8n had loaded before. */
	async tickFromOneState(pauseMs = 0): Promise<void> {
		const [first, second] = [this.#load(), this.#load()];
		await this.#tick(first);
		await sleep(pauseMs);
		await this.#tick(second);
	}

	async fetchTestEvent(): Promise<IDataObject[]> {
		const context = this.#makeContext(this.#makeWorkflow(), 'manual', 'manual');
		const [items] = (await new PageAudiencePollingTrigger().poll.call(context)) ?? [[]];
		return items.map(({ json }) => json);
	}

	#load(): Loaded {
		if (!this.#active) throw new Error('The workflow is not active');
		if (this.engine === 'memory') return this.#active;
		const cursor = this.#cursor && copy(this.#cursor);
		return { workflow: this.#makeWorkflow(), mode: 'update', cursor };
	}

	async #tick(loaded: Loaded): Promise<void> {
		try {
			const result = await this.#poll(loaded);
			if (this.dropsNext) {
				this.dropsNext = false;
				await this.activate('update');
			} else if (result) {
				this.executions.push(result[0]);
				this.#store(loaded);
			}
		} catch (error) {
			this.failures.push(error as Error);
		}
	}

	#store({ workflow: { staticData } }: Loaded): void {
		if (this.engine === 'durable' || staticData.__dataChanged !== true) return;
		this.staticData = copy(staticData);
		staticData.__dataChanged = false;
	}

	async #poll(
		loaded: Loaded,
		{ isTest = false, isLost = false } = {},
	): Promise<INodeExecutionData[][] | null> {
		const { workflow, mode, cursor } = loaded;
		const isDurable = this.engine === 'durable';
		const [node] = Object.values(workflow.nodes);
		if (isDurable) this.#cursor ??= copy(workflow.getStaticData('node', node));
		const seed = cursor ?? this.#cursor;
		const staged = seed && copy(seed);
		loaded.context ??= this.#makeContext(workflow, 'trigger', mode, staged);
		const result = await new PageAudiencePollingTrigger().poll.call(loaded.context);
		const isStored = !isLost && !this.dropsNext && (!isTest || result !== null);
		const hasChanged = JSON.stringify(staged) !== JSON.stringify(seed);
		if (isDurable && isStored && hasChanged) this.#cursor = staged && copy(staged);
		return result;
	}

	#makeContext(
		workflow: Workflow,
		mode: 'trigger' | 'manual',
		activation: WorkflowActivateMode,
		staged?: IDataObject,
	): PollContext {
		const [node] = Object.values(workflow.nodes);
		const data = makeAdditionalData(workflow, this.credential);
		const budget = this.engine === 'memory' ? undefined : () => 36_000;
		const context = new PollContext(
			...([workflow, node, data, mode, activation] as const),
			...([undefined, undefined, undefined, undefined] as const),
			staged && (() => staged),
			budget,
		);
		const warn = (line: string) => {
			this.log.push(line);
			this.onLog(line);
		};
		Object.assign(context.logger, { warn });
		return context;
	}

	#makeWorkflow(): Workflow {
		const { name, parameters } = this;
		const node = { id: `node-${this.#process}`, name, parameters };
		const workflow = { id: this.#id, active: true, staticData: copy(this.staticData) };
		return makeWorkflowOf(new PageAudiencePollingTrigger(), node, workflow);
	}
}

/** As through a database. */
function copy(data: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(data)) as IDataObject;
}
