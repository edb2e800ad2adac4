import fc from 'fast-check';
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
	| { kind: 'status'; status: number; retryAfter?: RetryAfter; done: boolean }
	/** A response that is none of the API, with status 200. */
	| { kind: 'strange'; body: string; done: boolean };

export interface RetryAfter {
	seconds: number;
	form: 'seconds' | 'date';
}

/** The service says that it did not take the request. */
export function isBusy(fault: Fault): boolean {
	if (fault.kind !== 'status') return false;
	return fault.status === 429 || (fault.status === 503 && fault.retryAfter !== undefined);
}

/** The client cannot know whether the work was done. */
export function isUncertain(fault: Fault): boolean {
	if (fault.kind === 'status') {
		return !isBusy(fault) && (fault.status === 408 || fault.status >= 500);
	}
	return fault.kind === 'lost' || fault.kind === 'silent' || fault.kind === 'strange';
}

/** Passes by itself, so that the same request may succeed later. */
export function isPassing(fault: Fault): boolean {
	return isHarmless(fault) || (isUncertain(fault) && fault.kind !== 'strange');
}

/** The work was certainly not begun, and the same request may succeed soon. */
export function isHarmless(fault: Fault): boolean {
	return (isBusy(fault) && !asksTooLong(fault)) || fault.kind === 'unreachable';
}

/** The longest pause that a client makes by its own choice, in milliseconds. */
export const longestOwnWaitMs = 30_000;

/** The longest pause that the service may ask for. */
const longestAskedWaitMs = 60_000;

/** A rate limit is waited for until the service has given no sign of life for five minutes: less than that here. */
export const patienceMs = 240_000;

/** The service asks for a longer pause than a run makes. */
export function asksTooLong(fault: Fault): boolean {
	if (fault.kind !== 'status' || !isBusy(fault)) return false;
	return (fault.retryAfter?.seconds ?? 0) * 1000 > longestAskedWaitMs;
}

/** The most that a fault may cost: the pause after it, and the time until it was noticed. */
export function costMs(fault: Fault, timeoutMs: number): number {
	if (fault.kind === 'silent') return timeoutMs + longestOwnWaitMs;
	if (fault.kind !== 'status' || asksTooLong(fault)) return longestOwnWaitMs;
	return Math.max((fault.retryAfter?.seconds ?? 0) * 1000, longestOwnWaitMs);
}

/** What a request comes to that meets the fault. */
export async function meet(fault: Fault, request: WireRequest, work: Answer): Promise<Reply> {
	if ('done' in fault && fault.done) await work(request);
	switch (fault.kind) {
		case 'silent':
			await new Promise((resolve) => setTimeout(resolve, request.timeoutMs));
			return { lost: 'ECONNABORTED', message: `timeout of ${request.timeoutMs}ms exceeded` };
		case 'status': {
			const { status, retryAfter } = fault;
			return {
				status,
				headers: retryAfter && { 'retry-after': writeRetryAfter(retryAfter) },
				body: { error: 'told_to', message: `Answers ${status}` },
			};
		}
		case 'strange':
			return { status: 200, body: fault.body };
		default:
			return { lost: fault.code, message: fault.code };
	}
}

function writeRetryAfter({ seconds, form }: RetryAfter): string {
	return form === 'seconds' ? String(seconds) : new Date(Date.now() + seconds * 1000).toUTCString();
}

export function describeFault(fault: Fault): string {
	const after = 'done' in fault && fault.done ? ' after the work' : '';
	switch (fault.kind) {
		case 'silent':
			return `timeout${after}`;
		case 'status': {
			const { status, retryAfter } = fault;
			const wait = retryAfter && ` (Retry-After ${retryAfter.seconds} s, as ${retryAfter.form})`;
			return `${status}${wait ?? ''}${after}`;
		}
		case 'strange':
			return `200 with ${JSON.stringify(fault.body)}${after}`;
		default:
			return `${fault.code}${after}`;
	}
}

const done = fc.boolean();
const retryAfter: fc.Arbitrary<RetryAfter> = fc.record({
	seconds: fc.constantFrom(0, 1, 2, 30),
	form: fc.constantFrom('seconds', 'date'),
});

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
			form: retryAfter.map(({ form }) => form),
		}),
		done: fc.constant(false),
	}),
	fc.record({
		kind: fc.constant('strange' as const),
		body: fc.constantFrom('<html><title>Sign in</title></html>', ''),
		done,
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

export const anyFault: fc.Arbitrary<Fault> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 2, arbitrary: busy },
	{ weight: 1, arbitrary: unreachable },
	{ weight: 4, arbitrary: passing },
	{ weight: 4, arbitrary: lasting },
);

/** Faults after which a client that tries again gets through. */
export const passingFault: fc.Arbitrary<Fault> = fc.oneof(busy, unreachable, passing);

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
