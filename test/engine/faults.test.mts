import type { INodeParameters } from 'n8n-workflow';
import { originOf } from './engine.mts';
import { runAllOffline, runOffline } from './offline.mts';
import type { NetworkRequest, Reply } from './fakeNetwork.mts';
import { detectBy, requestLimits } from '../groups.mts';

/* What follows each fault is in test/unit/api/verdict.test.mts. The random runs meet all of them. */

const log = {
	...{ resource: 'personLog', operation: 'create', source: 'test' },
	person: { email: 'a@x.example' },
};
const restore = { resource: 'audience', operation: 'restore', pageId: 'page_1' };
const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };

const makeItems = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i}` }));
const done: Reply = { status: 200, body: { personId: 'p', personLogId: 'l', audienceId: 'a' } };
const busy = (retryAfter: string): Reply => ({
	status: 429,
	headers: { 'retry-after': retryAfter },
});
const sleep = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Sends so many items. `answer` may choose a response in place of a record. */
async function run(
	parameters: INodeParameters,
	count: number,
	answer: (sent: number) => Promise<Reply> | Reply | undefined,
	limits: INodeParameters = { concurrency: 1 },
) {
	const own = parameters.options as INodeParameters | undefined;
	const { exchanges, ...result } = await runOffline({
		parameters: { ...parameters, options: { ...requestLimits(limits), ...own } },
		items: makeItems(count),
		answer: async ({ body }, sent) =>
			(await answer(sent)) ?? { status: 201, body: { personId: 'p', ...(body as object) } },
		onError: 'continueErrorOutput',
	});
	const [first] = exchanges;
	/** When each request was sent, in milliseconds since the first one. */
	const sentAt = exchanges.map(({ startedAtMs }) => startedAtMs - first.startedAtMs);
	return { ...result, sentAt };
}

test.each<[what: string, parameters: INodeParameters, repeatable: boolean]>([
	['a creation', create, false],
	['a log without a key', { ...log, options: detectBy('none') }, false],
	['a log with a key', log, true],
	['a restoring', { ...restore, audienceId: '={{ $json.name }}' }, true],
])('%s is resent only where that does nothing twice', async (_, parameters, repeatable) => {
	const faults = [busy('0'), done, { status: 500 }, { lost: 'ECONNRESET', message: 'lost' }];
	const { output, errors, sentAt } = await run(parameters, 4, (sent) => faults[sent] ?? done);
	expect(output.map(originOf)).toEqual(repeatable ? [0, 1, 2, 3] : [0, 3]);
	const told = errors.map((error) => [originOf(error), error.json.details]);
	const inDoubt: unknown = expect.objectContaining({ maybeDone: true });
	expect(told).toEqual(repeatable ? [] : [1, 2].map((item) => [item, inDoubt]));
	expect(sentAt).toHaveLength(repeatable ? 7 : 5);
});

describe('a rate limit', () => {
	test('pauses the whole run without losing or duplicating items, which says so', async () => {
		let second = 0;
		let left = 20;
		const answer = () => {
			const now = Math.floor(Date.now() / 1_000);
			if (now !== second) [second, left] = [now, 20];
			return left-- > 0 ? undefined : busy('1');
		};
		const { json, errors, sentAt, hints } = await run(create, 60, answer, { concurrency: 10 });
		expect(errors).toEqual([]);
		expect(json.map(({ name }) => name)).toEqual(makeItems(60).map(({ name }) => name));
		// Without the pause, each item would find out for itself.
		expect(sentAt.length).toBeLessThan(90);
		expect(hints).toEqual(['Waited 2 seconds for the service to accept requests']);
	});

	test.each([
		['1', '1 second'],
		['1.2', '2 seconds'],
	])('of %s seconds is told as %s', async (retryAfter, told) => {
		const { hints } = await run(create, 2, (sent) => (sent === 0 ? busy(retryAfter) : undefined));
		expect(hints).toEqual([`Waited ${told} for the service to accept requests`]);
	});
});

const limited = 'Rate limit reached (429)';
test.each<[what: string, Reply, error: string, advice: string, sentAt: number[]]>([
	['a rejected key', { status: 401 }, 'The API key was rejected (401)', '', [0]],
	['too long a wait', busy('3600'), limited, '3600 seconds', [0]],
	[
		'a limit without an end',
		busy('50'),
		limited,
		'A run waits 5 minutes at most',
		[0, 1, 2, 3, 4, 5, 6].map((pauses) => pauses * 50_000),
	],
])('%s ends the run, and fails all items', async (_, reply, message, advice, expected) => {
	const { errors, sentAt } = await run(create, 3, () => reply);
	const [error, description] = [message, advice].map(
		(text) => expect.stringContaining(text) as string,
	);
	expect(errors.map(originOf)).toEqual([0, 1, 2]);
	expect(errors.map(({ json }) => json)).toMatchObject([
		{ error, details: { description } },
		...[{ error }, { error }],
	]);
	expect(sentAt).toEqual(expected);
});

test.each<[limits: INodeParameters, expected: number]>([
	[{ concurrency: 1 }, 1],
	[{ concurrency: 25 }, 25],
	[{}, 10],
	[{ maxRetries: '', concurrency: '', requestsPerSecond: '', timeout: '' }, 10],
])('with %j, %d requests are in flight', async (limits, expected) => {
	const { sentAt } = await run(create, 50, async () => await sleep(100).then(() => done), limits);
	const rounds = Array.from({ length: 50 }, (_, n) => 100 * Math.floor(n / expected));
	expect(sentAt).toEqual(rounds);
});

/** Five executions, as of a workflow that a webhook starts. The last one has another key. */
async function runFive(
	limits: INodeParameters,
	answer: (request: NetworkRequest) => Promise<Reply> | Reply,
) {
	const parameters = { ...create, options: requestLimits(limits) };
	const runs = ['key', 'key', 'key', 'key', 'the key of another tenant'].map((apiKey) => {
		return { parameters, items: makeItems(3), credential: { apiKey } };
	});
	const { results, exchanges } = await runAllOffline(runs, answer);
	const sentAt = (isOfKey: boolean) =>
		exchanges
			.filter(({ request }) => (request.headers['x-api-key'] === 'key') === isOfKey)
			.map(({ startedAtMs }) => startedAtMs - exchanges[0].startedAtMs);
	return { results, ofKey: sentAt(true), ofOther: sentAt(false) };
}

test('five executions meet a rate limit once, and wait for its end together, but none with another key', async () => {
	let isLimited = false;
	const { results, ofKey, ofOther } = await runFive({ concurrency: 1 }, async ({ headers }) => {
		if (headers['x-api-key'] !== 'key') return done;
		const isFirst = !isLimited;
		isLimited = true;
		if (isFirst) return busy('10');
		await sleep(1_000);
		return done;
	});
	for (const { output, errors } of results) expect([output.length, errors]).toEqual([3, []]);
	// Those that were under way when the first response came. What follows them knows of it.
	expect(ofKey.filter((ms) => ms < 10_000)).toHaveLength(4);
	expect(ofKey).toHaveLength(13);
	for (const ms of ofOther) expect(ms).toBeLessThan(1_000);
	for (const { hints } of results.slice(0, 4)) expect(String(hints)).toMatch(/^Waited 10 seconds/);
	expect(results[4].hints).toEqual([]);
});

test('five executions keep to Requests per Second together', async () => {
	const { ofKey } = await runFive({ requestsPerSecond: 2, concurrency: 5 }, () => done);
	const times = ofKey.map((ms) => Math.round(ms / 500)).sort((a, b) => a - b);
	expect(times).toEqual(Array.from({ length: 12 }, (_, n) => n));
});
