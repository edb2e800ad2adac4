import { openClient, type SendSettings } from '../../../nodes/api/client.ts';
import { readConnection } from '../../../nodes/api/connection.ts';
import type { RequestFailedError } from '../../../nodes/api/errors.ts';
import type { PaceSettings } from '../../../nodes/api/pace.ts';
import { createPerson, credential, getPersons, makeContext } from './responding.mts';

/*
 * What follows each result is in verdict.test.mts. How a run pauses as a whole, ends and is paced, and what executions
 * share, is in test/engine/faults and cancel.
 */

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

interface TimedReply {
	status?: number;
	headers?: Record<string, string>;
	/** How long the service takes. */
	afterMs?: number;
	/** The code of a lost connection. */
	lost?: string;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const ok: TimedReply = { status: 200 };
const busy = (retryAfter?: string): TimedReply => ({
	status: 429,
	headers: retryAfter ? { 'retry-after': retryAfter } : {},
});
const log = { ...createPerson, repeatable: true };

let opened = 0;

/** A client whose service replies by how many requests were sent before. Unless told, its key is its own, and so is its pace. */
async function open(
	reply: (sent: number) => TimedReply,
	settings: PaceSettings = {},
	apiKey = `key ${++opened}`,
) {
	const times: number[] = [];
	const answer = async () => {
		const { afterMs = 10, lost, status, headers = {} } = reply(times.length);
		times.push(Date.now());
		await new Promise((resolve) => setTimeout(resolve, afterMs));
		if (lost) throw Object.assign(new Error('lost'), { code: lost });
		return { statusCode: status, headers, body: {} };
	};
	const context = makeContext(answer, { ...credential, apiKey });
	const client = openClient(context, await readConnection(context), settings);
	const began = Date.now();
	return {
		/** When each request was sent, in milliseconds since the start. */
		sentAt: () => times.map((at) => at - began),
		send: async (request = getPersons, more: Partial<SendSettings> = {}) =>
			await client
				.send(request, { timeoutMs: 1_000, maxRetries: 3, ...more })
				.then(({ status }) => status)
				.catch((error: unknown) => error as RequestFailedError),
	};
}

async function finish<T>(work: Promise<T>): Promise<T> {
	let isDone = false;
	void work.finally(() => (isDone = true));
	while (!isDone) await jest.advanceTimersByTimeAsync(1_000);
	return await work;
}

test('a rate limit that is given up fails the items that were not sent, with the same message', async () => {
	const { send, sentAt } = await open(() => busy('3600'));
	const results = await finish(Promise.all(numbers(20).map(async () => await send(createPerson))));
	expect(sentAt()).toHaveLength(1);
	const [{ message }] = results as RequestFailedError[];
	for (const [item, result] of (results as RequestFailedError[]).entries()) {
		const attempts = item === 0 ? 1 : 0;
		expect(result.message).toBe(message);
		expect(result.details).toMatchObject({ status: 429, attempts, maybeDone: false });
		expect(result.description.startsWith('Not sent')).toBe(item > 0);
		expect(result.description).toContain('3600 seconds');
	}
});

test.each([
	[404, '200'],
	[500, '200'],
	// Without Retry-After, it is no sign of life.
	[503, 'Rate limit reached (429)'],
])('patience starts anew after six minutes of other responses: %d', async (status, told) => {
	// Then one 429, which is waited for.
	const { send } = await open((sent) =>
		sent < 6 ? { status, afterMs: 60_000 } : sent === 6 ? busy() : ok,
	);
	for (let i = 0; i < 6; i++)
		expect(await finish(send(getPersons, { maxRetries: 0 }))).toBeInstanceOf(Error);
	expect(String(await finish(send()))).toContain(told);
});

test('a request in flight when the limit is given up is not resent, and may be done', async () => {
	const { send, sentAt } = await open(
		(sent) => (sent === 0 ? { lost: 'ECONNRESET' } : busy('3600')),
		{ concurrency: 2 },
	);
	const [lost] = await finish(Promise.all([send(log), send(log)]));
	expect(sentAt()).toHaveLength(2);
	expect(lost).toMatchObject({
		details: { status: 429, attempts: 1, maybeDone: true, repeated: true },
	});
});

test.each([
	['in doubt', 'ECONNRESET', true],
	['never sent', 'ECONNREFUSED', false],
])('a request that was %s before counts as repeated (%s): %p', async (_, lost, repeated) => {
	const { send } = await open((sent) => (sent === 0 ? { lost } : { status: 409 }));
	const details = { status: 409, attempts: 2, repeated };
	expect(await finish(send(log))).toMatchObject({ details });
});

test('waits longer after each 429 without Retry-After, and counts it as no retry', async () => {
	const { send, sentAt } = await open((sent) => (sent % 2 === 0 ? busy() : { status: 500 }));
	const result = await finish(send(getPersons, { maxRetries: 4 }));
	expect(result).toMatchObject({ details: { status: 500 } });
	expect(sentAt()).toHaveLength(10);
	expect(sentAt()[9] - sentAt()[8]).toBeGreaterThanOrEqual(4_000);
});

test.each<[what: string, reply: TimedReply, told: string]>([
	['returns a response', ok, '200'],
	['throws a refusal', { status: 422 }, '(422)'],
	['resends no request', { lost: 'ECONNREFUSED' }, 'AbortError'],
])('cancelled while a request is under way, it %s', async (_, reply, told) => {
	const controller = new AbortController();
	const { signal } = controller;
	const { send, sentAt } = await open(() => ({ ...reply, afterMs: 100 }), { signal });
	setTimeout(() => controller.abort(), 50);
	expect(String(await finish(send()))).toContain(told);
	expect(sentAt()).toHaveLength(1);
});

test('runs with one API key share a pause, for which an urgent request does not wait', async () => {
	const key = 'shared pause';
	const one = await open((sent) => (sent === 0 ? busy('3') : ok), {}, key);
	const first = one.send();
	await jest.advanceTimersByTimeAsync(100);
	const other = await open(() => ok, {}, key);
	const urgent = await open(() => ok, { isUrgent: true }, key);
	await finish(Promise.all([first, other.send(), urgent.send()]));
	expect(other.sentAt()[0]).toBeGreaterThanOrEqual(2_900);
	expect(urgent.sentAt()).toEqual([0]);
});

test('runs with one API key and other rates do not hold each other back', async () => {
	const runs = await Promise.all(
		[1, 20, 0].map(async (requestsPerSecond) =>
			open(() => ok, { concurrency: 10, requestsPerSecond }, 'other rates'),
		),
	);
	await finish(Promise.all(runs.flatMap(({ send }) => numbers(4).map(async () => await send()))));
	const everyMs = (ms: number) => numbers(4).map((n) => n * ms);
	expect(runs.map(({ sentAt }) => sentAt())).toEqual([1_000, 50, 0].map(everyMs));
});
