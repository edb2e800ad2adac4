import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { originOf } from './engine.mts';
import { runAllOffline, runOffline } from './offline.mts';
import type { NetworkRequest, Reply } from './fakeNetwork.mts';
import { detectBy, requestLimits } from '../groups.mts';

/* What follows each fault is in test/unit/api/verdict.test.mts. The random runs meet all of them. */

const log = {
	resource: 'personLog',
	operation: 'create',
	source: 'test',
};
const person = { email: 'a@x.example' };
const restore = { resource: 'audience', operation: 'restore', pageId: 'page_1' };
const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };

const makeItems = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i}` }));

/** Which request gets which response in place of a record. */
type ResponseChoice = (sent: number) => Reply | undefined;

async function run(
	parameters: INodeParameters,
	count: number,
	choose: ResponseChoice,
	limits: INodeParameters = {},
) {
	const own = parameters.options as INodeParameters | undefined;
	return await runOffline({
		parameters: {
			...parameters,
			options: { ...requestLimits({ concurrency: 1, ...limits }), ...own },
		},
		items: makeItems(count),
		answer: ({ body }, sent) =>
			choose(sent) ?? {
				status: 200,
				body: { personId: 'p', personLogId: 'l', audienceId: 'a', ...(body as object) },
			},
		onError: 'continueErrorOutput',
	});
}

const detailsOf = ({ json }: { json: IDataObject }) => json.details as IDataObject;
const busy = (retryAfter: string): Reply => ({
	status: 429,
	headers: { 'retry-after': retryAfter },
});

test.each<[what: string, parameters: INodeParameters, repeatable: boolean]>([
	['a creation', create, false],
	['a log without a key', { ...log, person, options: detectBy('none') }, false],
	['a log with a key', { ...log, person }, true],
	['a restoring', { ...restore, audienceId: '={{ $json.name }}' }, true],
])('%s is resent only where that does nothing twice', async (_, parameters, repeatable) => {
	const faults: Reply[] = [
		busy('0'),
		{ status: 200, body: { personId: 'p', personLogId: 'l', audienceId: 'a' } },
		{ status: 500 },
		{ lost: 'ECONNRESET', message: 'lost' },
	];
	const { output, errors, exchanges } = await run(parameters, 4, (sent) => faults[sent]);
	expect(output.map(originOf)).toEqual(repeatable ? [0, 1, 2, 3] : [0, 3]);
	expect(errors.map(originOf)).toEqual(repeatable ? [] : [1, 2]);
	for (const error of errors) expect(detailsOf(error)).toMatchObject({ maybeDone: true });
	expect(exchanges).toHaveLength(repeatable ? 7 : 5);
});

describe('a rate limit', () => {
	test('pauses the whole run without losing or duplicating items, which says so', async () => {
		let second = 0;
		let left = 20;
		const choose: ResponseChoice = () => {
			const now = Math.floor(Date.now() / 1_000);
			if (now !== second) [second, left] = [now, 20];
			return left-- > 0 ? undefined : busy('1');
		};
		const { output, errors, exchanges, hints } = await run(create, 60, choose, { concurrency: 10 });
		expect(errors).toEqual([]);
		expect(output.map(({ json }) => json.name)).toEqual(makeItems(60).map(({ name }) => name));
		// Without the pause, each item would find out for itself.
		expect(exchanges.length).toBeLessThan(90);
		expect(hints).toEqual(['Waited 2 seconds for the service to accept requests']);
	});

	test.each([
		['1', '1 second'],
		['1.2', '2 seconds'],
	])('of %s seconds is told as %s', async (retryAfter, told) => {
		const choose: ResponseChoice = (sent) => (sent === 0 ? busy(retryAfter) : undefined);
		const { hints } = await run(create, 2, choose);
		expect(hints).toEqual([`Waited ${told} for the service to accept requests`]);
	});

	test.each([
		['3600', '3600 seconds', 0],
		['50', 'A run waits 5 minutes at most', 300_000],
	])('with a Retry-After of %s fails all items', async (retryAfter, told, waitedMs) => {
		const { errors, exchanges } = await run(create, 3, () => busy(retryAfter));
		for (const { json } of errors) expect(json.error).toMatch(/^Rate limit reached \(429\)/);
		expect(errors).toHaveLength(3);
		const [{ description }] = errors.map(detailsOf);
		expect(description).toContain(told);
		const [first, last] = [exchanges[0], exchanges[exchanges.length - 1]];
		expect(last.startedAtMs - first.startedAtMs).toBe(waitedMs);
	});
});

test('a rejected key ends the run after one request', async () => {
	const { errors, exchanges } = await run(create, 3, () => ({ status: 401 }));
	expect(errors.map(({ json }) => json.error)).toEqual(
		[0, 1, 2].map((item) => `The API key was rejected (401) [item ${item}]`),
	);
	expect(exchanges).toHaveLength(1);
});

test.each<[limits: INodeParameters, expected: number]>([
	[{ concurrency: 1 }, 1],
	[{ concurrency: 25 }, 25],
	[{}, 10],
	[{ maxRetries: '', concurrency: '', requestsPerSecond: '', timeout: '' }, 10],
])('with %j, %d requests are in flight', async (limits, expected) => {
	const { exchanges } = await runOffline({
		parameters: { ...create, options: requestLimits(limits) },
		items: makeItems(50),
		answer: async () => {
			await new Promise((resolve) => setTimeout(resolve, 100));
			return { status: 200, body: { personId: 'p' } };
		},
	});
	const at = exchanges.map(({ startedAtMs }) => startedAtMs - exchanges[0].startedAtMs);
	expect(at.filter((time) => time === 0)).toHaveLength(expected);
	expect(at.at(-1)).toBe(100 * (Math.ceil(50 / expected) - 1));
});

const created: Reply = { status: 201, body: { personId: 'p' } };

/** Five executions, as of a workflow that a webhook starts. */
async function runFive(
	limits: INodeParameters,
	answer: (request: NetworkRequest) => Promise<Reply> | Reply,
) {
	const start: { at?: number } = {};
	const signals = Array.from({ length: 5 }, () => new AbortController());
	const runs = signals.map(({ signal }, n) => {
		const credential = { apiKey: n === 4 ? 'the key of another tenant' : 'key' };
		const parameters = { ...create, options: requestLimits(limits) };
		return { parameters, items: makeItems(3), signal, credential };
	});
	const { results, exchanges } = await runAllOffline(runs, async (request) => {
		start.at ??= Date.now();
		return await answer(request);
	});
	const sent = exchanges.map(({ request, startedAtMs }) => ({
		isOfOther: request.headers['x-api-key'] !== 'key',
		ms: startedAtMs - (start.at ?? 0),
	}));
	return { results, sent };
}

test('five executions meet a rate limit once, and wait for its end together, but none with another key', async () => {
	let isLimited = false;
	const { results, sent } = await runFive({ concurrency: 1 }, async ({ headers }) => {
		if (headers['x-api-key'] !== 'key') return created;
		const isFirst = !isLimited;
		isLimited = true;
		if (isFirst) return busy('10');
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		return created;
	});
	for (const { output, errors } of results) expect([output.length, errors]).toEqual([3, []]);
	const ofKey = sent.filter(({ isOfOther }) => !isOfOther);
	// Those that were under way when the first response came. What follows them knows of it.
	expect(ofKey.filter(({ ms }) => ms < 10_000)).toHaveLength(4);
	expect(ofKey).toHaveLength(13);
	for (const { ms, isOfOther } of sent) if (isOfOther) expect(ms).toBeLessThan(1_000);
	for (const { hints } of results.slice(0, 4)) expect(String(hints)).toMatch(/^Waited 10 seconds/);
	expect(results[4].hints).toEqual([]);
});

test('five executions keep to Requests per Second together', async () => {
	const { sent } = await runFive({ requestsPerSecond: 2, concurrency: 5 }, () => created);
	const times = sent.filter(({ isOfOther }) => !isOfOther).map(({ ms }) => Math.round(ms / 500));
	expect(times.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n));
});
