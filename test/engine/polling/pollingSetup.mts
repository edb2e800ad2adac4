import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';
import { PassingTime, startOfTime } from '../clock.mts';
import { FakeNetwork, type NetworkRequest, type Reply } from '../fakeNetwork.mts';
import { PolledWorkflow, type PollingEngine } from './polledWorkflow.mts';
import { firstPage, PolledService } from './service.mts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const engines: PollingEngine[] = ['memory', 'scheduler', 'durable'];
export const accountId = `account_${'a'.repeat(26)}`;

/** The option More Pages. */
export const morePages = (...ids: unknown[]) => ({
	morePages: { page: ids.map((pageId) => ({ pageId })) } as never,
});

/** What started the workflow, or was shown in a test, by its ID. */
export const idOf = ({ audienceSessionId, personId, activityId }: IDataObject): unknown =>
	audienceSessionId ?? personId ?? activityId;

/** The node's, and how n8n polls. */
type PollingParameters = INodeParameters & { engine?: PollingEngine };

/** When a record appears, in which page, and of which form submission. */
type Added = { at?: number; page?: string; form?: string };

/** A service, and a workflow that polls it. */
export class PollingSetup {
	readonly service = new PolledService();
	readonly workflow: PolledWorkflow;
	readonly network = new FakeNetwork();

	constructor({ engine = 'memory', ...parameters }: PollingParameters) {
		this.service.foreign = new PolledService();
		this.service.foreign.tenantId = 'tenant_2';
		this.network.answerBy(async (request) => await this.service.answer(request));
		this.workflow = new PolledWorkflow({ pageId: firstPage, accountId, ...parameters }, engine);
	}

	get requests(): NetworkRequest[] {
		return this.network.exchanges.map(({ request }) => request);
	}

	get ids(): unknown[] {
		return this.workflow.items.map(idOf);
	}

	/** The options that are not named stay as they are. */
	setOptions(changed: object): void {
		const { parameters } = this.workflow;
		const options = { ...(parameters.options as object), ...changed };
		this.workflow.parameters = { ...parameters, options };
	}

	/** A record that is as old as it is in the service. */
	add(id: string, { at = Date.now(), page, form }: Added = {}): void {
		const contents = [{ from: -Infinity, content: 'a', form }];
		this.service.facts.push({ id, startedAt: at, appearsAt: at, contents, page });
	}

	/** Records of the minutes before now, the oldest first. */
	addMany(count: number): void {
		for (let number = 0; number < count; number++)
			this.add(`record ${number}`, { at: Date.now() - (count - number) * minuteMs });
	}

	async publish(): Promise<this> {
		await this.workflow.activate();
		return this;
	}

	/** A minute passes, and n8n polls. */
	async poll(polls = 1): Promise<void> {
		for (let done = 0; done < polls; done++) {
			await sleep(minuteMs);
			await this.workflow.tick();
		}
	}

	/** Requests to these paths get their responses after this time. */
	respondAfter(ms: number, path = /^/): void {
		this.service.onRequest = async (request) => {
			if (path.test(request.path)) await sleep(ms);
			return undefined;
		};
	}

	respond(reply: Reply, path = /^/): void {
		this.service.onRequest = (request) => (path.test(request.path) ? reply : undefined);
	}

	/** Every list has these records, whatever is asked. */
	show(...items: IDataObject[]): void {
		const body = { items, hasMore: false };
		this.respond({ status: 200, body }, /(sessions|persons|activity)$/);
	}

	recover(): void {
		this.service.onRequest = () => undefined;
	}
}

/** What a test does to it. */
export type Edit = (setup: PollingSetup) => unknown;

/** Opens scenes in the tests of one file, where time passes at once, whatever waits for it. */
export function setUpPolling(): (parameters: PollingParameters) => PollingSetup {
	let time: PassingTime;
	const opened: PollingSetup[] = [];
	beforeEach(() => {
		time = new PassingTime(startOfTime);
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		await time.end();
		for (const { network } of opened.splice(0).reverse()) network.close();
	});
	return (parameters) => {
		const setup = new PollingSetup(parameters);
		opened.push(setup);
		return setup;
	};
}
