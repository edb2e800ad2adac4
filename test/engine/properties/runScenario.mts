import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asFile, requestLimits } from '../../groups.mts';
import { runOnFakeClock } from '../clock.mts';
import { entries, type RunResult, runNode } from '../engine.mts';
import { type Exchange, FakeNetwork } from '../fakeNetwork.mts';
import { FakeService, type Work } from './fakeService.mts';
import { endsTheRun, isBusy, isSuccess, judgeFault, meet, type RandomFault } from './faults.mts';
import { findOperation, isWriteName, lists } from './operations.mts';
import type { Scenario } from './scenario.mts';

/** What an execution came to. */
export interface Trace {
	scenario: Scenario;
	/** In order of departure. */
	exchanges: TracedExchange[];
	/** Of the executions that were there before: the first one, and Retries. */
	earlier: TracedExchange[];
	/** What the service really did, for all of them. */
	works: Work[];
	/** The service's records, in its order, of the list that each item asks for. */
	wholeLists: object[][];
	result: RunResult;
	elapsedMs: number;
	peakInFlight: number;
}

export type TracedExchange = ReturnType<typeof traceExchange>;

/**
 * One request, and what really happened to it.
 * @param number its place among all requests
 * @param tryNumber which time n8n ran the node in this execution
 */
function traceExchange(exchange: Exchange, number: number, tryNumber: number, met?: RandomFault) {
	const { request, reply, endedAtMs = Infinity } = exchange;
	// Undefined where the service answered.
	const fault = met && judgeFault(met) !== 'done' ? met : undefined;
	const status = reply && 'status' in reply ? reply.status : undefined;
	// The service did the work and its answer arrived.
	const isConfirmed = !fault && status !== undefined && isSuccess(status);
	// The client cannot know whether it was written.
	const isInDoubt = fault !== undefined && judgeFault(fault) === 'in doubt';
	return {
		...exchange,
		number,
		try: tryNumber,
		fault,
		endedAtMs,
		status,
		key: (request.body as IDataObject | undefined)?.idempotencyKey,
		isConfirmed,
		isInDoubt,
		mayBeWritten: isConfirmed || isInDoubt,
		/** The service itself refused it. */
		isRefused: !fault && !isConfirmed,
		isBusy: fault !== undefined && isBusy(fault),
		endsTheRun: fault !== undefined && endsTheRun(fault),
	};
}

/** Far more than any bound that is judged: this only ends what would never end. */
const endlessMs = 30 * 24 * 3_600_000;

const credential = { baseUrl: 'http://api.example', apiKey: 'key' };

/** Runs the node in n8n's engine without a network, and then as many Retries as the scenario has. */
export async function runScenario(scenario: Scenario): Promise<Trace[]> {
	entries.empty();
	const service = new FakeService(scenario.guesses, scenario.count);
	const network = new FakeNetwork();
	network.answerBy(async (request) => {
		const fault = faultAt(scenario, network.exchanges.length - 1);
		if (scenario.latencyMs > 0)
			await new Promise((resolve) => setTimeout(resolve, scenario.latencyMs));
		const work = () => service.answer(request);
		return fault ? await meet(fault, request, work) : work();
	});
	const traces: Trace[] = [];
	try {
		for (const retry of [undefined, ...scenario.retries]) {
			const before = traces.at(-1);
			// Only what failed can be retried.
			if (before && !before.result.error) break;
			const onError = retry?.goesOn ? 'continueErrorOutput' : scenario.onError;
			const end = endOf(scenario, retry?.correction);
			traces.push({
				...(await runOnce({ ...scenario, onError }, end, network, traces)),
				works: [...service.works],
				wholeLists: readLists(scenario, service),
			});
		}
		return traces;
	} finally {
		network.close();
	}
}

/** What the request of this number meets. */
function faultAt({ faults, lastingFault }: Scenario, at: number): RandomFault | undefined {
	return at < faults.length ? faults[at] : lastingFault;
}

/** Runs one execution. */
async function runOnce(
	scenario: Scenario,
	end: string,
	network: FakeNetwork,
	before: Trace[],
): Promise<Omit<Trace, 'works' | 'wholeLists'>> {
	const first = network.exchanges.length;
	const triesStartedAt: number[] = [];
	const onTry = () => triesStartedAt.push(network.exchanges.length);
	const { value: result, elapsedMs } = await runOnFakeClock(
		async () => await runInEngine(scenario, end, onTry, before.at(-1)?.result),
		{ mostMs: endlessMs, number: before.length },
	);
	const exchanges = network.exchanges.slice(first).map((exchange, at) => {
		const number = first + at;
		const tryNumber = triesStartedAt.filter((start) => start <= number).length;
		return traceExchange(exchange, number, tryNumber, faultAt(scenario, number));
	});
	const earlier = before.flatMap((trace) => trace.exchanges);
	return { scenario, exchanges, earlier, result, elapsedMs, peakInFlight: network.peakInFlight };
}

function readLists({ operation, items }: Scenario, service: FakeService): object[][] {
	if (isWriteName(operation)) return [];
	const { wanted, query, pages } = lists[operation];
	return items.map((item) => {
		const all = service.readWhole(wanted(item).path, query);
		// What the service leaves out of a list without pages cannot be read.
		return pages ? all : all.slice(0, service.maximumLimit);
	});
}

/** What the texts of a workflow end with, as a piece of an expression. */
function endOf({ changes }: Scenario, correction = 0): string {
	const random = changes ? ' + Math.random()' : '';
	const corrected = correction > 0 ? ` + "corrected${correction}"` : '';
	return random || corrected ? `+ "~"${random}${corrected}` : '';
}

async function runInEngine(
	scenario: Scenario,
	end: string,
	onTry: () => void,
	retryOf?: RunResult,
): Promise<RunResult> {
	const operation = findOperation(scenario.operation);
	const { items, list, tries, onError, maxRetries, concurrency, requestsPerSecond } = scenario;
	const { pageSize, returnAll, isFile } = list;
	const limits = { maxRetries, concurrency, requestsPerSecond };
	const { options, ...parameters } = operation.parameters(end);
	return await runNode({
		parameters: {
			...parameters,
			returnAll,
			options: {
				...(options as INodeParameters),
				...requestLimits({ ...limits, ...(pageSize !== undefined && { pageSize }) }),
				...(isFile && asFile('jsonl')),
			},
		},
		items: items.map((item) => ({
			...operation.json(item),
			limit: item.isFlawed ? 0 : list.limit + item.number,
		})),
		credential,
		onError,
		retryOf,
		settings: tries > 1 ? { retryOnFail: true, maxTries: tries, waitBetweenTries: 1000 } : {},
		handOver: onTry,
	});
}
