import type { INodeParameters } from 'n8n-workflow';
import { entries, type Run, type RunResult, runNode } from '../engine.mts';
import { runOnFakeClock } from './clock.mts';
import { type Fault, isGood, meet } from './faults.mts';
import { findOperation, isWriteName, lists } from './operations.mts';
import type { Scenario } from './scenario.mts';
import { Service, type Work } from './service.mts';
import { writeEnd } from './texts.mts';
import { type Answer, type Exchange, Wire } from './wire.mts';

/** One request, and what really happened to it. */
export interface Event extends Exchange {
	/** Its place among all requests. */
	number: number;
	/** Which time n8n ran the node in this execution. */
	try: number;
	fault?: Fault;
}

/** What an execution came to. */
export interface Play {
	scenario: Scenario;
	/** In order of departure. */
	events: Event[];
	/** Of the executions that were there before: the first one, and Retries. */
	earlier: Event[];
	/** What the service really did, for all of them. */
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

/** Runs the node in n8n's engine against the model, with all waits passing at once, and then the Retries. */
export async function play(scenario: Scenario): Promise<Play[]> {
	entries.empty();
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
	const stage = { wire, credential, faultOf: (at: number) => faultAt(scenario, at) };
	const plays: Play[] = [];
	try {
		for (const retry of [undefined, ...scenario.retries]) {
			const of = retry && plays.at(-1);
			// Only what failed can be retried.
			if (of && !of.result.error) break;
			const { correction = 0, goesOn } = retry ?? {};
			const onError = goesOn ? 'continueErrorOutput' : scenario.onError;
			const run = await runScenario({ ...scenario, onError, correction }, stage, plays, of);
			const listFor = (item: number) => listOfModel(scenario, item);
			plays.push({ ...run, works: [...service.works], listFor });
		}
		return plays;
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

/**
 * Runs one execution, wherever the wire leads.
 * @param before the executions before it
 * @param retried the one that it retries
 */
export async function runScenario(
	scenario: Scenario,
	{ wire, credential, faultOf }: Stage,
	before: Play[] = [],
	retried?: Play,
): Promise<Omit<Play, 'works' | 'listFor'>> {
	const triesStartedAt: number[] = [];
	const onTry = () => triesStartedAt.push(wire.exchanges.length);
	const first = wire.exchanges.length;
	const start = async () => await runInEngine(scenario, credential, onTry, retried?.result);
	const { value, elapsedMs } = await runOnFakeClock(start, {
		mostMs: endlessMs,
		isBusy: () => wire.isOnline && wire.inFlight > 0,
		number: before.length,
	});
	const events = wire.exchanges.slice(first).map((exchange, at): Event => {
		const number = first + at;
		const fault = faultOf(number);
		return {
			...exchange,
			number,
			fault: fault && isGood(fault) ? undefined : fault,
			try: triesStartedAt.filter((start) => start <= number).length,
		};
	});
	const earlier = before.flatMap((play) => play.events);
	const { peakInFlight } = wire;
	return { scenario, events, earlier, result: value, elapsedMs, peakInFlight };
}

async function runInEngine(
	scenario: Scenario,
	credential: Credential,
	onTry: () => void,
	retryOf?: RunResult,
): Promise<RunResult> {
	const operation = findOperation(scenario.operation);
	const { list, items, tries } = scenario;
	return await runNode({
		parameters: {
			...operation.parameters(writeEnd(scenario.ending, scenario.correction)),
			...listParameters(scenario),
			options: options(scenario),
		},
		items: items.map((item) => operation.json(item, list)),
		credential,
		onError: scenario.onError,
		retryOf,
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
	isReported,
	list: { pageSize },
}: Scenario): INodeParameters {
	return {
		maxRetries,
		concurrency,
		requestsPerSecond,
		...(pageSize !== undefined && { pageSize }),
		...(isReported && { report: true }),
	};
}
