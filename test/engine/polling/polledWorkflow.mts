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

interface PolledSettings {
	parameters: INodeParameters;
	credential: { baseUrl: string; apiKey: string };
	engine?: PollingEngine;
}

let lastId = 0;

/** What n8n has at hand when a poll begins. */
interface Loaded {
	workflow: Workflow;
	mode: WorkflowActivateMode;
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
	credential: PolledSettings['credential'];
	name = 'Page Audience Polling Trigger';
	engine: PollingEngine;
	/** Until when a poll may take with n8n's scheduler. */
	budgetMs = 36_000;
	/** n8n drops what the next poll returns, as when the workflow was changed meanwhile. */
	dropsNext = false;

	readonly #id = `polled-${++lastId}`;
	/** Another one after n8n was killed: what the process remembered is lost. */
	#process = 0;
	#active?: { workflow: Workflow; mode: WorkflowActivateMode };
	readonly #contexts = new WeakMap<Workflow, PollContext>();
	/** With durable cursors, in a table of its own. */
	#cursor?: IDataObject;

	constructor({ parameters, credential, engine = 'memory' }: PolledSettings) {
		this.parameters = parameters;
		this.credential = credential;
		this.engine = engine;
	}

	get items(): IDataObject[] {
		return this.executions.flat().map(({ json }) => json);
	}

	/** Publishes, or starts n8n with the workflow published: the first poll is a test. */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<void> {
		const workflow = this.#makeWorkflow();
		const result = await this.#poll(workflow, mode, { isTest: true });
		if (result) this.#emit(workflow, result);
		this.#active = { workflow, mode };
		if (isChanged(workflow)) this.#store(workflow);
	}

	deactivate(): void {
		this.#active = undefined;
	}

	/** n8n ends in an instant and starts again. */
	async kill(): Promise<void> {
		this.#process++;
		this.#active = undefined;
		await this.start();
	}

	/** n8n's scheduler knows from its database what to poll, and tries nothing at a start. */
	async start(): Promise<void> {
		if (this.engine === 'memory') await this.activate('init');
		else this.#active = { workflow: this.#makeWorkflow(), mode: 'update' };
	}

	/** n8n is killed when the poll is done and n8n has neither stored nor started anything. */
	async killInPoll(): Promise<void> {
		const { workflow, mode } = this.#load();
		await this.#poll(workflow, mode, { isTest: false, isLost: true }).catch(() => undefined);
		await this.kill();
	}

	/** One poll at its time. */
	async tick(): Promise<void> {
		await this.#tick(this.#load());
	}

	/** One poll, and some time after it another one whose state n8n had loaded before. */
	async tickFromOneState(pauseMs = 0): Promise<void> {
		const first = this.#load();
		const second = this.#load();
		await this.#tick(first);
		await sleep(pauseMs);
		await this.#tick(second);
	}

	#load(): Loaded {
		if (!this.#active) throw new Error('The workflow is not active');
		const isMemory = this.engine === 'memory';
		const workflow = isMemory ? this.#active.workflow : this.#makeWorkflow();
		const mode = isMemory ? this.#active.mode : 'update';
		return { workflow, mode, cursor: this.#cursor && copy(this.#cursor) };
	}

	async #tick({ workflow, mode, cursor }: Loaded): Promise<void> {
		try {
			const result = await this.#poll(workflow, mode, { isTest: false, cursor });
			if (this.dropsNext) {
				this.dropsNext = false;
				await this.activate('update');
			} else if (result) this.#emit(workflow, result);
		} catch (error) {
			this.failures.push(error as Error);
		}
	}

	async fetchTestEvent(): Promise<IDataObject[]> {
		const context = this.#makeContext(this.#makeWorkflow(), 'manual', 'manual');
		const [items] = (await new PageAudiencePollingTrigger().poll.call(context)) ?? [[]];
		return items.map(({ json }) => json);
	}

	#emit(workflow: Workflow, [items]: INodeExecutionData[][]): void {
		this.executions.push(items);
		if (isChanged(workflow)) this.#store(workflow);
	}

	#store({ staticData }: Workflow): void {
		if (this.engine === 'durable') return;
		this.staticData = copy(staticData);
		staticData.__dataChanged = false;
	}

	async #poll(
		workflow: Workflow,
		mode: WorkflowActivateMode,
		{ isTest, isLost = false, cursor }: { isTest: boolean; isLost?: boolean; cursor?: IDataObject },
	): Promise<INodeExecutionData[][] | null> {
		const isDurable = this.engine === 'durable';
		const [node] = Object.values(workflow.nodes);
		if (isDurable) this.#cursor ??= copy(workflow.getStaticData('node', node));
		const seed = cursor ?? this.#cursor;
		const staged = seed && copy(seed);
		const context = this.#openContext(workflow, mode, staged);
		const result = await new PageAudiencePollingTrigger().poll.call(context);
		const isStored = !isLost && !this.dropsNext && (!isTest || result !== null);
		const hasChanged = JSON.stringify(staged) !== JSON.stringify(seed);
		if (isDurable && isStored && hasChanged) this.#cursor = staged && copy(staged);
		return result;
	}

	/** All polls of one activation have one context. With the scheduler, each has its own, of the mode `update`. */
	#openContext(workflow: Workflow, mode: WorkflowActivateMode, staged?: IDataObject): PollContext {
		if (this.engine !== 'memory') return this.#makeContext(workflow, 'trigger', mode, staged);
		const context = this.#contexts.get(workflow) ?? this.#makeContext(workflow, 'trigger', mode);
		this.#contexts.set(workflow, context);
		return context;
	}

	#makeContext(
		workflow: Workflow,
		mode: 'trigger' | 'manual',
		activation: WorkflowActivateMode,
		staged?: IDataObject,
	): PollContext {
		const [node] = Object.values(workflow.nodes);
		// As it is when it is read.
		const now = () => this.credential;
		const credential = {
			get baseUrl() {
				return now().baseUrl;
			},
			get apiKey() {
				return now().apiKey;
			},
		};
		const context = new PollContext(
			workflow,
			node,
			makeAdditionalData(workflow, credential),
			mode,
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			staged && (() => staged),
			this.engine === 'memory' ? undefined : () => this.budgetMs,
		);
		Object.assign(context.logger, { warn: (line: string) => this.log.push(line) });
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

function isChanged({ staticData }: Workflow): boolean {
	return staticData.__dataChanged === true;
}
