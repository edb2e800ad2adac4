import { ApiClient, type SendSettings } from '../../../nodes/api/client.ts';
import type { ApiContext } from '../../../nodes/api/connection.ts';
import { RequestFailedError } from '../../../nodes/api/failure.ts';
import { path } from '../../../nodes/api/path.ts';
import type { ApiRequest } from '../../../nodes/api/request.ts';
import type { TrafficSettings } from '../../../nodes/api/traffic.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

interface Reply {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
	/** How long the service takes. */
	afterMs?: number;
	/** The code of a lost connection. */
	lost?: string;
}

const ok: Reply = { status: 200, body: {} };
const busy: Reply = { status: 429 };
const get: ApiRequest = { method: 'GET', path: path`/persons` };
const post: ApiRequest = { method: 'POST', path: path`/persons`, body: { name: 'Ada' } };

/** A client whose service replies by a script; the last reply goes on. */
async function open(
	script: Reply[] | ((sent: number) => Reply),
	more: Partial<TrafficSettings> = {},
	credential: { baseUrl?: string; apiKey?: string } = {},
) {
	const sentAt: number[] = [];
	const context: ApiContext = {
		getCredentials: async <T,>() =>
			await Promise.resolve({
				baseUrl: 'https://api.example.com',
				apiKey: 'key',
				...credential,
			} as T),
		helpers: {
			async httpRequestWithAuthentication() {
				const reply =
					typeof script === 'function'
						? script(sentAt.length)
						: script[Math.min(sentAt.length, script.length - 1)];
				sentAt.push(Date.now());
				await new Promise((resolve) => setTimeout(resolve, reply.afterMs ?? 10));
				if (reply.lost) throw Object.assign(new Error('lost'), { code: reply.lost });
				return { statusCode: reply.status, headers: reply.headers ?? {}, body: reply.body ?? {} };
			},
		},
	};
	const client = await ApiClient.open(context, {
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
		const { send, sentAt } = await open([{ status: 429, headers: { 'retry-after': '120' } }]);
		const results = await finish(
			Promise.all(Array.from({ length: 300 }, async () => await send(post))),
		);
		expect(sentAt()).toHaveLength(1);
		const [first, second, ...rest] = results as RequestFailedError[];
		expect(first.details).toMatchObject({ status: 429, attempts: 1, maybeDone: false });
		for (const result of [second, ...rest]) {
			expect(result.message).toBe(first.message);
			expect(result.details).toMatchObject({ status: 429, attempts: 0, maybeDone: false });
			expect(result.description).toContain('Not sent');
			expect(result.description).toContain('120 seconds');
		}
	});

	test('is not given up after 4 minutes of 429, and is after 5', async () => {
		const { send, sentAt } = await open([busy]);
		const result = await finish(send());
		expect(result).toMatchObject({ message: 'Rate limit reached (429)' });
		expect((result as RequestFailedError).description).toContain(
			'has accepted no request for 5 minutes',
		);
		const at = sentAt();
		expect(at.at(-1)).toBeGreaterThan(4 * 60_000);
		expect(at.at(-1)).toBeLessThanOrEqual(5 * 60_000);
		expect((result as RequestFailedError).details.attempts).toBe(at.length);
	});

	test.each([404, 422, 500])(
		'any %d is a sign of life, and patience starts anew',
		async (status) => {
			// Six minutes of other responses, then one 429, which is waited for.
			const { send } = await open((sent) =>
				sent < 6 ? { status, afterMs: 60_000 } : sent === 6 ? busy : ok,
			);
			for (let i = 0; i < 6; i++)
				expect(await finish(send(get, { maxRetries: 0 }))).toBeInstanceOf(RequestFailedError);
			expect(await finish(send())).toBe(200);
		},
	);

	test('503 without Retry-After is no sign of life', async () => {
		const { send } = await open((sent) =>
			sent < 6 ? { status: 503, afterMs: 60_000 } : sent === 6 ? busy : ok,
		);
		for (let i = 0; i < 6; i++) await finish(send(get, { maxRetries: 0 }));
		expect(await finish(send())).toMatchObject({ message: 'Rate limit reached (429)' });
	});
});

test('shows a rejected key to the service once, not for every item', async () => {
	const { send, sentAt } = await open([{ status: 401 }]);
	const results = await finish(Promise.all([send(), send(post), send()]));
	expect(sentAt()).toHaveLength(1);
	expect(results).toEqual(
		[1, 0, 0].map(
			(attempts) =>
				expect.objectContaining({
					message: 'The API key was rejected (401)',
					details: expect.objectContaining({ attempts }) as object,
				}) as object,
		),
	);
});

test.each([403, 404, 409, 422, 500])('sends the other items after a %d', async (status) => {
	const { send, sentAt } = await open([{ status }]);
	await finish(Promise.all([send(post), send(post), send(post)]));
	expect(sentAt()).toHaveLength(3);
});

test('an item in flight when the limit is given up is not resent', async () => {
	const { send, sentAt } = await open(
		(sent) =>
			sent === 0 ? { lost: 'ECONNRESET' } : { status: 429, headers: { 'retry-after': '120' } },
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

describe('waits', () => {
	test('before it retries', async () => {
		const { send, sentAt } = await open([{ status: 500 }, { status: 500 }, ok]);
		expect(await finish(send())).toBe(200);
		const [first, second, third] = sentAt();
		expect(second - first).toBeGreaterThanOrEqual(250);
		expect(third - second).toBeGreaterThanOrEqual(500);
	});

	test('for a Retry-After that is shorter than its own pause would be', async () => {
		// The own pause after the eighth 429 would be 15 seconds at least.
		const { send, sentAt } = await open((sent) =>
			sent < 8 ? { status: 429, headers: { 'retry-after': '1' } } : ok,
		);
		expect(await finish(send())).toBe(200);
		expect(sentAt().at(-1)).toBeLessThan(8 * 1_100);
	});

	test('longer after each 429 without Retry-After', async () => {
		const { send, sentAt } = await open((sent) => (sent < 5 ? busy : ok));
		expect(await finish(send())).toBe(200);
		const at = sentAt();
		const last = at[5] - at[4];
		expect(last).toBeGreaterThanOrEqual(4_000);
	});
});

test('a request that is not needed any more is not retried', async () => {
	let isAbandoned = false;
	const { send, sentAt } = await open([{ status: 500 }]);
	const sending = send(get, { isAbandoned: () => isAbandoned });
	await jest.advanceTimersByTimeAsync(100);
	isAbandoned = true;
	expect(await finish(sending)).toMatchObject({
		name: 'AbortError',
		message: 'Nobody needs this page',
	});
	expect(sentAt()).toHaveLength(1);
});

test('a request that waits for its turn is not sent when it is not needed any more', async () => {
	let isAbandoned = false;
	const { send, sentAt } = await open([ok], { requestsPerSecond: 1 });
	const first = send();
	const second = send(get, { isAbandoned: () => isAbandoned });
	const third = send();
	await jest.advanceTimersByTimeAsync(500);
	isAbandoned = true;
	await finish(Promise.all([first, second, third]));
	// The one behind it takes its place.
	expect(sentAt()).toEqual([0, 1000]);
	expect(await second).toMatchObject({ name: 'AbortError' });
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

test.each([
	['http://api.example.com:8080/base', 'http://api.example.com:8080'],
	['http://localhost:8080', undefined],
	['https://api.example.com', undefined],
])('with the Base URL %s the API key is readable at %s', async (baseUrl, exposedAt) => {
	expect((await open([ok], {}, { baseUrl })).client.exposedAt).toBe(exposedAt);
});

test('the account has an identity that does not tell the key', async () => {
	const { client } = await open([ok]);
	const { client: same } = await open([ok]);
	expect(client.identity).toBe(same.identity);
	expect(client.identity).toMatch(/^[0-9a-f]{64}$/);
	for (const other of [{ apiKey: 'other' }, { baseUrl: 'https://other.example.com' }])
		expect((await open([ok], {}, other)).client.identity).not.toBe(client.identity);
});
