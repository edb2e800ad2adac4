import fc from 'fast-check';
import { makeId } from './service.mts';
import type { Answer, Reply, WireRequest } from './wire.mts';

/** What goes wrong with one request. `done`: the service does the work all the same. */
export type Fault =
	/** The address cannot be reached for the moment. */
	| { kind: 'unreachable'; code: 'ECONNREFUSED' | 'ENOTFOUND' | 'EAI_AGAIN' }
	/** No connection is made, and none will be. */
	| { kind: 'unconnectable'; code: 'DEPTH_ZERO_SELF_SIGNED_CERT' | 'CERT_HAS_EXPIRED' | 'EPROTO' }
	/** The connection ends: at once, or within the response (ERR_BAD_RESPONSE, as axios calls it). */
	| { kind: 'lost'; code: 'ECONNRESET' | 'EPIPE' | 'ERR_BAD_RESPONSE'; done: boolean }
	/** Nothing comes until the client's timeout. */
	| { kind: 'silent'; done: boolean }
	/** An answer of any status, with any body: where nothing is said, an error as APIs write it. */
	| {
			kind: 'status';
			status: number;
			body?: BodyName;
			retryAfter?: RetryAfter;
			/** The name of a header that says what is not so. */
			lie?: keyof typeof lies;
			done: boolean;
	  };

export type RetryAfter =
	| { form: 'seconds' | 'date'; seconds: number }
	/** Undefined seconds: the text says nothing. */
	| { form: 'text'; text: string; seconds?: number };

const megabytes = 'five megabytes '.repeat(333_333);

/** 'record' is what the work came to, and no body here. */
const bodies = {
	'another record': { brandId: makeId('brand', 1), name: 'Another' },
	'blank IDs': { personId: '', personLogId: null, accountId: [], audienceId: {} },
	'{}': {},
	error: { error: 'It did not work' },
	list: [{ personId: makeId('prospect', 1) }, 7],
	null: 'null',
	text: 'upstream connect error',
	page: '<html><title>Sign in</title><script>go()</script></html>',
	empty: '',
	'half a JSON': '{"personId":"prospect_abc","na',
	'5 MB of JSON': { message: megabytes },
	'5 MB of HTML': `<html>${megabytes}`,
};

type BodyName = keyof typeof bodies | 'record';

/** Headers that say what is not so, or what makes no sense. */
const lies = {
	'content-type': { 'content-type': 'text/html; charset=utf-16' },
	'content-length': { 'content-length': '3' },
	date: { date: 'Thu, 01 Jan 1970 00:00:00 GMT' },
	'no date': { date: 'yesterday' },
	location: { location: 'http://elsewhere.example/' },
	'request ID': { 'x-request-id': 'x'.repeat(10_000) },
	'none left': { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' },
	'none left till then': { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1e99' },
};

/** The answer of the service itself, whatever the script made of its headers and of its status within 2xx. */
export function isGood(fault: Fault): boolean {
	return fault.kind === 'status' && fault.body === 'record' && isSuccess(fault);
}

const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300;

/** A good status, and no record. */
export function isStrange(fault: Fault): boolean {
	return fault.kind === 'status' && isSuccess(fault) && !isGood(fault);
}

/** The service says that it did not take the request. */
export function isBusy(fault: Fault): boolean {
	if (fault.kind !== 'status') return false;
	return fault.status === 429 || (fault.status === 503 && fault.retryAfter?.seconds !== undefined);
}

/** The client cannot know whether the work was done. */
export function isUncertain(fault: Fault): boolean {
	if (fault.kind === 'status') {
		const { status } = fault;
		return !isBusy(fault) && !isGood(fault) && (status < 400 || status === 408 || status >= 500);
	}
	return fault.kind === 'lost' || fault.kind === 'silent';
}

/** Passes by itself, so that the same request may succeed later. */
export function isPassing(fault: Fault): boolean {
	if (fault.kind === 'status' && (fault.status < 400 || wantsLongPause(fault))) return false;
	return isHarmless(fault) || isUncertain(fault);
}

/** The work was certainly not begun, and the same request may succeed soon. */
export function isHarmless(fault: Fault): boolean {
	return (isBusy(fault) && !asksTooLong(fault)) || fault.kind === 'unreachable';
}

/** The longest pause that a client makes by its own choice, in milliseconds. */
export const longestOwnWaitMs = 30_000;

/** The longest pause that the service may ask for. */
const longestAskedWaitMs = 300_000;

/** A rate limit is waited for until the service has given no sign of life for five minutes: less than that here. */
export const patienceMs = 240_000;

/** The service asks for a longer pause than a run makes. */
export function asksTooLong(fault: Fault): boolean {
	return isBusy(fault) && wantsLongPause(fault);
}

function wantsLongPause(fault: Fault): boolean {
	if (fault.kind !== 'status') return false;
	return (fault.retryAfter?.seconds ?? 0) * 1000 > longestAskedWaitMs;
}

/** The most that a fault may cost: the pause after it, and the time until it was noticed. */
export function costMs(fault: Fault, timeoutMs: number): number {
	if (fault.kind === 'silent') return timeoutMs + longestOwnWaitMs;
	if (fault.kind !== 'status' || wantsLongPause(fault)) return longestOwnWaitMs;
	return Math.max((fault.retryAfter?.seconds ?? 0) * 1000, longestOwnWaitMs);
}

/** What a request comes to that meets the fault. */
export async function meet(fault: Fault, request: WireRequest, work: Answer): Promise<Reply> {
	const reply = 'done' in fault && fault.done ? await work(request) : undefined;
	switch (fault.kind) {
		case 'silent':
			await new Promise((resolve) => setTimeout(resolve, request.timeoutMs));
			return { lost: 'ECONNABORTED', message: `timeout of ${request.timeoutMs}ms exceeded` };
		case 'status': {
			const { status, body, lie, retryAfter } = fault;
			const headers = { ...(lie && lies[lie]), ...(retryAfter && writeRetryAfter(retryAfter)) };
			if (body !== 'record') return { status, headers, body: readBody(fault) };
			// What the service refuses is no record with a good status.
			const isRefused = isGood(fault) && reply && 'status' in reply && !isSuccess(reply);
			return { ...reply, ...(!isRefused && { status }), headers } as Reply;
		}
		default:
			return { lost: fault.code, message: fault.code };
	}
}

/** What the answer to a fault holds, where that is not what the work came to. */
export function readBody({ status, body }: Fault & { kind: 'status' }): unknown {
	if (body === undefined || body === 'record')
		return { error: 'told_to', message: `Answers ${status}` };
	return bodies[body];
}

function writeRetryAfter(asked: RetryAfter): Record<string, string> {
	const after = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
	switch (asked.form) {
		case 'text':
			return { 'retry-after': asked.text };
		case 'seconds':
			return { 'retry-after': String(asked.seconds) };
		case 'date':
			return { 'retry-after': after(asked.seconds), date: after(0) };
	}
}

export function describeFault(fault: Fault): string {
	const after = 'done' in fault && fault.done ? ' after the work' : '';
	switch (fault.kind) {
		case 'silent':
			return `timeout${after}`;
		case 'status': {
			const { status, body, lie, retryAfter } = fault;
			const said = retryAfter?.form === 'text' ? ` "${retryAfter.text}"` : '';
			const wait =
				retryAfter && ` (Retry-After ${retryAfter.seconds} s, as ${retryAfter.form}${said})`;
			const odd = (body ? ` with ${body}` : '') + (lie ? ` and a wrong header: ${lie}` : '');
			return `${status}${odd}${wait ?? ''}${after}`;
		}
		default:
			return `${fault.code}${after}`;
	}
}

const done = fc.boolean();
const form = fc.constantFrom('seconds' as const, 'date' as const);
const retryAfter: fc.Arbitrary<RetryAfter> = fc.record({
	seconds: fc.constantFrom(0, 1, 2, 30),
	form,
});
const oddRetryAfter: fc.Arbitrary<RetryAfter> = fc
	.constantFrom<
		[text: string, seconds?: number]
	>([''], ['-5'], ['5s'], ['soon'], ['1e3'], ['Infinity'], ['2, 30'], ['Sun, 99 Foo 2026'], ['Thu, 01 Jan 1970 00:00:00 GMT', 0], [' 2 ', 2], ['1.5', 1.5], ['9'.repeat(20), 1e20], ['9'.repeat(400), Infinity])
	.map(([text, seconds]) => ({ form: 'text', text, seconds }));

const busy: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constant(429),
		retryAfter: fc.option(retryAfter, { nil: undefined }),
		done: fc.constant(false),
	}),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constant(503),
		retryAfter,
		done: fc.constant(false),
	}),
);

const unreachable: fc.Arbitrary<Fault> = fc.record({
	kind: fc.constant('unreachable' as const),
	code: fc.constantFrom('ECONNREFUSED' as const, 'ENOTFOUND' as const, 'EAI_AGAIN' as const),
});

/** Faults after which the client does not know whether the work was done. */
const passing: fc.Arbitrary<Fault> = fc.oneof(
	{ withCrossShrink: true },
	fc.record({
		kind: fc.constant('lost' as const),
		code: fc.constantFrom('ECONNRESET' as const, 'EPIPE' as const, 'ERR_BAD_RESPONSE' as const),
		done,
	}),
	fc.record({ kind: fc.constant('silent' as const), done }),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(500, 502, 503, 503, 503),
		done,
	}),
	fc.constant<Fault>({ kind: 'status', status: 408, done: false }),
);

/** Faults after which the same request fails again. */
const lasting: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({
		kind: fc.constant('status' as const),
		// 409 stands for itself: see the idempotency keys of the model.
		status: fc.constantFrom(400, 401, 401, 401, 403, 404, 422),
		done: fc.constant(false),
	}),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(429, 503),
		retryAfter: fc.record({
			seconds: fc.constantFrom(120, 3600),
			form,
		}),
		done: fc.constant(false),
	}),
	fc.record({
		kind: fc.constant('unconnectable' as const),
		code: fc.constantFrom(
			'DEPTH_ZERO_SELF_SIGNED_CERT' as const,
			'CERT_HAS_EXPIRED' as const,
			'EPROTO' as const,
		),
	}),
);

const smallBodies = Object.keys(bodies).filter((name) => !name.startsWith('5 MB'));

/** Every status with every body and every header, before or after the work. */
const anyAnswer: fc.Arbitrary<Fault> = fc
	.record({
		kind: fc.constant('status' as const),
		status: fc.oneof(
			fc.integer({ min: 200, max: 599 }),
			fc.constantFrom(200, 201, 204, 304, 408, 409, 429, 500, 503),
		),
		body: fc.oneof(
			{ weight: 20, arbitrary: fc.constant('record' as const) },
			{ weight: 79, arbitrary: fc.constantFrom(...(smallBodies as BodyName[])) },
			{
				weight: 1,
				arbitrary: fc.constantFrom('5 MB of JSON' as const, '5 MB of HTML' as const),
			},
		),
		retryAfter: fc.option(fc.oneof(retryAfter, oddRetryAfter), { nil: undefined, freq: 2 }),
		lie: fc.option(fc.constantFrom(...(Object.keys(lies) as Array<keyof typeof lies>)), {
			nil: undefined,
			freq: 2,
		}),
		done,
	})
	.map(makePossible);

/** An answer that a service can send: what counts as not done was not, and some statuses have no body. */
function makePossible(fault: Fault & { kind: 'status' }): Fault {
	const isBodiless = [204, 205, 304].includes(fault.status);
	const body = isBodiless ? 'empty' : fault.body;
	const isDone = fault.done && (isGood({ ...fault, body }) || isUncertain({ ...fault, body }));
	return { ...fault, done: isDone, body: body === 'record' && !isDone ? 'error' : body };
}

export const anyFault: fc.Arbitrary<Fault> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 4, arbitrary: anyAnswer },
	{ weight: 2, arbitrary: busy },
	{ weight: 1, arbitrary: unreachable },
	{ weight: 4, arbitrary: passing },
	{ weight: 4, arbitrary: lasting },
);

/** Faults after which a client that tries again gets through. */
export const passingFault: fc.Arbitrary<Fault> = fc.oneof(
	busy,
	unreachable,
	passing,
	anyAnswer.filter((fault) => isGood(fault) || isPassing(fault)),
);

/** One entry for each request in order of arrival; the requests after the last entry meet nothing. */
export type Script = Array<Fault | undefined>;

export function scriptOf(fault: fc.Arbitrary<Fault>): fc.Arbitrary<Script> {
	return fc.array(fc.option(fault, { nil: undefined, freq: 2 }), { maxLength: 8 });
}

export function describeScript(script: Script): string {
	const met = script.flatMap((fault, at) =>
		fault ? [`request ${at + 1}: ${describeFault(fault)}`] : [],
	);
	return met.join(', ') || 'none';
}
