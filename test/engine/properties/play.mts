import type { INodeParameters } from 'n8n-workflow';
import { type Run, type RunResult, runNode } from '../engine.mts';
import { runOnFakeClock } from './clock.mts';
import { type Fault, meet } from './faults.mts';
import { findOperation, isWriteName, lists } from './operations.mts';
import type { Scenario } from './scenario.mts';
import { Service, type Work } from './service.mts';
import { type Answer, type Exchange, Wire } from './wire.mts';

/** One request, and what really happened to it. */
export interface Event extends Exchange {
	/** Which time n8n ran the node. */
	try: number;
	fault?: Fault;
}

/** What a run of the node came to. */
export interface Play {
	scenario: Scenario;
	/** In order of departure. */
	events: Event[];
	/** What the service really did. */
	works: Work[];
	/** The service's records, in its order, of the list that an item asks for. */
	listFor: (item: number) => object[];
	result: RunResult;
	elapsedMs: number;
	peakInFlight: number;
}

type Credential = Run['credential'];

const credential: Credential = { baseUrl: 'http://api.example', apiKey: 'key' };

/** Far more than any bound that is judged: this only ends what would never end. */
const endlessMs = 48 * 3_600_000;

/** Runs the node in n8n's engine against the model, with all waits passing at once. */
export async function play(scenario: Scenario): Promise<Play> {
	const service = new Service(scenario.service);
	const answer: Answer = async (request) => await Promise.resolve(service.answer(request));
	const wire = new Wire();
	let requests = 0;
	wire.answerBy(async (request) => {
		const fault = faultAt(scenario, requests++);
		if (scenario.latencyMs > 0) {
			await new Promise((resolve) => setTimeout(resolve, scenario.latencyMs));
		}
		return fault ? await meet(fault, request, answer) : await answer(request);
	});
	try {
		const run = await runScenario(scenario, {
			wire,
			credential,
			faultOf: (at) => faultAt(scenario, at),
		});
		return {
			...run,
			works: service.works,
			listFor: (item) => listOfModel(scenario, item),
		};
	} finally {
		wire.close();
	}
}

/** What the request of this number meets. */
function faultAt({ script, tail }: Scenario, at: number): Fault | undefined {
	return at < script.length ? script[at] : tail;
}

function listOfModel(scenario: Scenario, item: number): object[] {
	const { operation, items } = scenario;
	return isWriteName(operation) ? [] : lists[operation].records(items[item], scenario);
}

interface Stage {
	wire: Wire;
	credential: Credential;
	/** What the exchange of this number met. */
	faultOf: (at: number) => Fault | undefined;
}

/** Runs the node once, wherever the wire leads. */
export async function runScenario(
	scenario: Scenario,
	{ wire, credential, faultOf }: Stage,
): Promise<Pick<Play, 'scenario' | 'events' | 'result' | 'elapsedMs' | 'peakInFlight'>> {
	const triesStartedAt: number[] = [];
	const start = async () =>
		await runInEngine(scenario, credential, () => triesStartedAt.push(wire.exchanges.length));
	const { value, elapsedMs } = await runOnFakeClock(start, {
		mostMs: endlessMs,
		isBusy: () => wire.isOnline && wire.inFlight > 0,
	});
	const events = wire.exchanges.map((exchange, at) => ({
		...exchange,
		fault: faultOf(at),
		try: triesStartedAt.filter((start) => start <= at).length,
	}));
	return { scenario, events, result: value, elapsedMs, peakInFlight: wire.peakInFlight };
}

async function runInEngine(
	scenario: Scenario,
	credential: Credential,
	onTry: () => void,
): Promise<RunResult> {
	const operation = findOperation(scenario.operation);
	const { list, items, tries } = scenario;
	return await runNode({
		parameters: {
			...operation.parameters,
			...listParameters(scenario),
			options: options(scenario),
		},
		items: items.map((item) => operation.json(item, list)),
		credential,
		onError: scenario.onError,
		settings: tries > 1 ? { retryOnFail: true, maxTries: tries, waitBetweenTries: 1000 } : {},
		handOver: (context) => {
			onTry();
			if (scenario.hidesStart) context.getExecutionContext = () => undefined;
		},
	});
}

function listParameters({ list }: Scenario): INodeParameters {
	return { returnAll: list.returnAll, outputAs: list.outputAs };
}

function options({
	maxRetries,
	concurrency,
	requestsPerSecond,
	list: { pageSize },
}: Scenario): INodeParameters {
	return {
		maxRetries,
		concurrency,
		requestsPerSecond,
		...(pageSize !== undefined && { pageSize }),
	};
}
