import { openClient, type SendSettings } from '../../../nodes/api/client.ts';
import { type ApiContext, readConnection } from '../../../nodes/api/connection.ts';
import { RequestFailedError } from '../../../nodes/api/errors.ts';
import type { PaceSettings } from '../../../nodes/api/pace.ts';
import { type ApiRequest, at } from '../../../nodes/api/request.ts';

// What follows each result is in verdict.test.mts.

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

interface TimedReply {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
	/** How long the service takes. */
	afterMs?: number;
	/** The code of a lost connection. */
	lost?: string;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const ok: TimedReply = { status: 200, body: {} };
const busy: TimedReply = { status: 429 };
const get: ApiRequest = { method: 'GET', ...at.person`/persons` };
const post: ApiRequest = { method: 'POST', ...at.person`/persons`, body: { name: 'Ada' } };

let opened = 0;

/** A client whose service sends these replies; the last one goes on. Its key is its own, and so is its pace. */
async function open(
	replies: TimedReply[] | ((sent: number) => TimedReply),
	more: Partial<PaceSettings> = {},
	credential: { baseUrl?: string; apiKey?: string } = {},
) {
	const sentAt: number[] = [];
	const context: ApiContext = {
		getCredentials: async <T,>() =>
			await Promise.resolve({
				baseUrl: 'https://api.example.com',
				apiKey: `key ${++opened}`,
				...credential,
			} as T),
		helpers: {
			async httpRequestWithAuthentication() {
				const reply =
					typeof replies === 'function'
						? replies(sentAt.length)
						: replies[Math.min(sentAt.length, replies.length - 1)];
				sentAt.push(Date.now());
				await new Promise((resolve) => setTimeout(resolve, reply.afterMs ?? 10));
				if (reply.lost) throw Object.assign(new Error('lost'), { code: reply.lost });
				return { statusCode: reply.status, headers: reply.headers ?? {}, body: reply.body ?? {} };
			},
		},
	};
	const client = openClient(context, await readConnection(context), {
		concurrency: 1,
		requestsPerSecond: 0,
		...more,
	});
	const began = Date.now();
	return {
		client,
		/** When each request was sent, in milliseconds since the start. */
		sentAt: () => sentAt.map((at) => at - began),
		send: async (request: ApiRequest = get, settings: Partial<SendSettings> = {}) =>
			await client
				.send(request, { timeoutMs: 1_000, maxRetries: 3, ...settings })
				.then(({ status }) => status)
				.catch((error: unknown) => error as RequestFailedError),
	};
}

const finish = async <T,>(work: Promise<T>): Promise<T> => {
	let isDone = false;
	void work.finally(() => (isDone = true));
	while (!isDone) await jest.advanceTimersByTimeAsync(1_000);
	return await work;
};

describe('a rate limit that is given up', () => {
	test('fails the items that have not been sent, with the same message and without a request', async () => {
		const { send, sentAt } = await open([{ status: 429, headers: { 'retry-after': '3600' } }]);
		const results = await finish(Promise.all(numbers(20).map(async () => await send(post))));
		expect(sentAt()).toHaveLength(1);
		const [first, second, ...rest] = results as RequestFailedError[];
		expect(first.details).toMatchObject({ status: 429, attempts: 1, maybeDone: false });
		for (const result of [second, ...rest]) {
			expect(result.message).toBe(first.message);
			expect(result.details).toMatchObject({ status: 429, attempts: 0, maybeDone: false });
			expect(result.description).toContain('Not sent');
			expect(result.description).toContain('3600 seconds');
		}
	});

	test.each<[status: number, last: unknown]>([
		[404, 200],
		[500, 200],
		// Without Retry-After, it is no sign of life.
		[503, expect.objectContaining({ message: 'Rate limit reached (429)' })],
	])('patience starts anew after six minutes of other responses: %d', async (status, last) => {
		// Six minutes of other responses, then one 429, which is waited for.
		const { send } = await open((sent) =>
			sent < 6 ? { status, afterMs: 60_000 } : sent === 6 ? busy : ok,
		);
		for (let i = 0; i < 6; i++)
			expect(await finish(send(get, { maxRetries: 0 }))).toBeInstanceOf(RequestFailedError);
		expect(await finish(send())).toEqual(last);
	});
});

test('an item in flight when the limit is given up is not resent', async () => {
	const { send, sentAt } = await open(
		(sent) =>
			sent === 0 ? { lost: 'ECONNRESET' } : { status: 429, headers: { 'retry-after': '3600' } },
		{ concurrency: 2 },
	);
	const [lost] = await finish(
		Promise.all([send({ ...post, repeatable: true }), send({ ...post, repeatable: true })]),
	);
	expect(sentAt()).toHaveLength(2);
	expect((lost as RequestFailedError).details).toMatchObject({
		status: 429,
		attempts: 1,
		maybeDone: true,
		repeated: true,
	});
});

test('waits longer after each 429 without Retry-After', async () => {
	const { send, sentAt } = await open((sent) => (sent < 5 ? busy : ok));
	expect(await finish(send())).toBe(200);
	expect(sentAt()[5] - sentAt()[4]).toBeGreaterThanOrEqual(4_000);
});

test('counts retries, but not pauses for the rate limit', async () => {
	const { send, sentAt } = await open((sent) => (sent % 2 === 0 ? busy : { status: 500 }));
	expect(await finish(send(get, { maxRetries: 3 }))).toMatchObject({ details: { status: 500 } });
	expect(sentAt()).toHaveLength(8);
});

/* How a run pauses as a whole, ends and is paced, and what executions share, is in test/engine/faults, cancel and pace. */

test('counts overlapping pauses once', async () => {
	const { client, send } = await open(
		(sent) =>
			sent < 4 ? { status: 429, headers: { 'retry-after': '2' }, afterMs: 10 + sent * 100 } : ok,
		{ concurrency: 4 },
	);
	await finish(Promise.all(numbers(4).map(async () => await send())));
	expect(Math.round(client.heldBackMs())).toBe(2_300);
});

test.each([
	['returns a response', ok, 200],
	[
		'throws a refusal',
		{ status: 422 },
		expect.objectContaining({ details: expect.objectContaining({ status: 422 }) }),
	],
	['resends no request', { lost: 'ECONNREFUSED' }, expect.objectContaining({ name: 'AbortError' })],
])('cancelled while a request is under way, it %s', async (_, reply: TimedReply, expected) => {
	const controller = new AbortController();
	const { send, sentAt } = await open([{ ...reply, afterMs: 100 }], { signal: controller.signal });
	setTimeout(() => controller.abort(), 50);
	expect(await finish(send())).toEqual(expected);
	expect(sentAt()).toHaveLength(1);
});

test.each([
	['in doubt', 'ECONNRESET', true],
	['never sent', 'ECONNREFUSED', false],
])('a request that was %s before counts as repeated (%s): %p', async (_, lost, repeated) => {
	const { send } = await open([{ lost }, { status: 409 }]);
	const result = await finish(send({ ...post, repeatable: true }));
	expect((result as RequestFailedError).details).toMatchObject({
		status: 409,
		attempts: 2,
		repeated,
	});
});

test('the account has an identity that does not tell the key', async () => {
	const identify = async (apiKey: string, baseUrl?: string) =>
		(await open([ok], {}, { apiKey, ...(baseUrl && { baseUrl }) })).client.connection.identity;
	const identity = await identify('key');
	expect(identity).toMatch(/^[0-9a-f]{64}$/);
	expect(await identify('key')).toBe(identity);
	const others = [await identify('other'), await identify('key', 'https://other.example.com')];
	expect(others).not.toContain(identity);
});

describe('runs with one API key in this process', () => {
	test('share a pause, for which an urgent request does not wait', async () => {
		const apiKey = 'shared pause';
		const limited = (sent: number) =>
			sent === 0 ? { status: 429, headers: { 'retry-after': '3' } } : ok;
		const one = await open(limited, {}, { apiKey });
		const first = one.send();
		await jest.advanceTimersByTimeAsync(100);
		const other = await open([ok], {}, { apiKey });
		const urgent = await open([ok], { isUrgent: true }, { apiKey });
		await finish(Promise.all([first, other.send(), urgent.send()]));
		expect(other.sentAt()[0]).toBeGreaterThanOrEqual(2_900);
		expect(urgent.sentAt()).toEqual([0]);
	});

	test('with other rates do not hold each other back', async () => {
		const at = async (requestsPerSecond: number) =>
			await open([ok], { concurrency: 10, requestsPerSecond }, { apiKey: 'other rates' });
		const [slow, fast, free] = [await at(1), await at(20), await at(0)];
		const all = [slow, fast, free].flatMap(({ send }) => numbers(4).map(async () => await send()));
		await finish(Promise.all(all));
		expect(slow.sentAt()).toEqual([0, 1_000, 2_000, 3_000]);
		expect(fast.sentAt()).toEqual([0, 50, 100, 150]);
		expect(free.sentAt()).toEqual([0, 0, 0, 0]);
	});
});
