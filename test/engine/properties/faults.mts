import fc from 'fast-check';
import type { NetworkRequest, Reply } from '../fakeNetwork.mts';
import { oneOf } from './drawing.mts';

/** What a request meets in place of a clear answer. `done`: the service does its work all the same. `retryAfter`: in seconds. */
export type RandomFault =
	| { code: keyof typeof codes; done: boolean }
	| { status: number; body: BodyName; retryAfter?: number; done: boolean };

/** What a client can know about the work. */
type Verdict = 'done' | 'unsent' | 'unsendable' | 'busy' | 'refused' | 'in doubt';

const codes = {
	EAI_AGAIN: 'unsent',
	ECONNREFUSED: 'unsent',
	ENOTFOUND: 'unsent',
	CERT_HAS_EXPIRED: 'unsendable',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'unsendable',
	EPROTO: 'unsendable',
	// Nothing comes until the client's timeout.
	ECONNABORTED: 'in doubt',
	ECONNRESET: 'in doubt',
	EPIPE: 'in doubt',
	// The connection ends within the response.
	ERR_BAD_RESPONSE: 'in doubt',
} as const satisfies Record<string, Verdict>;

/** Bodies that are not what the work came to. */
const bodies = {
	'another record': { brandId: 'brand_1', name: 'Another' },
	empty: '',
	error: { error: 'It did not work' },
	'half a JSON': '{"personId":"prospect_abc","na',
	list: [{ personId: 'prospect_1' }, 7],
	null: 'null',
	'web page': `<html><title>Sign in</title>${'and so on '.repeat(1_000)}</html>`,
};

/** Pages of a list whose next one is nowhere, and what the answer holds otherwise. */
const stuckPages = {
	'no position': () => ({ nextCursor: null, nextOffset: null }),
	'same position': ({ query }: NetworkRequest) => ({
		nextCursor: query.cursor,
		nextOffset: Number(query.offset ?? 0),
	}),
};

type BodyName = 'record' | keyof typeof bodies | keyof typeof stuckPages;

const isStatus = (fault: RandomFault) => 'status' in fault;

export const isSuccess = (status: number) => status >= 200 && status < 300;

export function judgeFault(fault: RandomFault): Verdict {
	if (!isStatus(fault)) return codes[fault.code];
	const { status, body, retryAfter } = fault;
	if (isSuccess(status)) return body === 'record' ? 'done' : 'in doubt';
	if (status === 429 || (status === 503 && retryAfter !== undefined)) return 'busy';
	if ([301, 307, 308].includes(status)) return 'refused';
	return status < 400 || status === 408 || status >= 500 ? 'in doubt' : 'refused';
}

/** A good status, and no record. */
export function isStrange(fault: RandomFault): boolean {
	return isStatus(fault) && isSuccess(fault.status) && judgeFault(fault) === 'in doubt';
}

export function isBusy(fault: RandomFault): boolean {
	return judgeFault(fault) === 'busy';
}

/** Nothing more is sent in this run. */
export function endsTheRun(fault: RandomFault): boolean {
	return isStatus(fault) && (fault.status === 401 || (isBusy(fault) && wantsLongPause(fault)));
}

/** The work was certainly not begun, and the same request may succeed soon. */
export function isHarmless(fault: RandomFault): boolean {
	return (isBusy(fault) && !wantsLongPause(fault)) || judgeFault(fault) === 'unsent';
}

/** Passes by itself, so that the same request may succeed later. */
export function isPassing(fault: RandomFault): boolean {
	if (isStatus(fault) && (fault.status < 400 || wantsLongPause(fault))) return false;
	return isHarmless(fault) || judgeFault(fault) === 'in doubt';
}

/** A rate limit is waited for until the service has taken nothing for five minutes: less than that here. */
export const patienceMs = 240_000;

/** Longer than a run waits. */
function wantsLongPause(fault: RandomFault): boolean {
	return waitMsOf(fault) > 300_000;
}

/** What the service asks for. */
export function waitMsOf(fault: RandomFault): number {
	return isStatus(fault) ? (fault.retryAfter ?? 0) * 1_000 : 0;
}

/** The longest pause after it: as long as the service asks, or as a client waits by its own choice. */
export function longestPauseMs(fault: RandomFault): number {
	return Math.max(wantsLongPause(fault) ? 0 : waitMsOf(fault), 30_000);
}

/** What a request comes to that meets the fault. */
export async function meet(
	fault: RandomFault,
	request: NetworkRequest,
	work: () => Reply,
): Promise<Reply> {
	const reply = fault.done ? work() : undefined;
	if (!isStatus(fault)) {
		const { code } = fault;
		if (code === 'ECONNABORTED')
			await new Promise((resolve) => setTimeout(resolve, request.timeoutMs));
		return { lost: code, message: code };
	}
	const { status, body, retryAfter } = fault;
	const headers: Record<string, string> =
		retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
	if (body in bodies) return { status, headers, body: bodies[body as keyof typeof bodies] };
	if (!reply || 'lost' in reply) throw new Error(`No work was done for ${body}`);
	// What the service refuses is no record with a good status.
	if (isSuccess(status) && !isSuccess(reply.status)) return reply;
	const stuck = body === 'record' ? undefined : stuckPages[body as keyof typeof stuckPages];
	const changes = stuck && { hasMore: true, ...stuck(request) };
	return { status, headers, body: { ...(reply.body as object), ...changes } };
}

const lost: fc.Arbitrary<RandomFault> = fc
	.record({
		code: fc.constantFrom(...(Object.keys(codes) as Array<keyof typeof codes>)),
		done: fc.boolean(),
	})
	.map(({ code, done }) => ({ code, done: done && codes[code] === 'in doubt' }));

const body = fc.constantFrom('record', ...(Object.keys(bodies) as BodyName[]));

/** Answers that a service can send: what counts as not done was not, and some statuses have no body. */
const answer = (statuses: fc.Arbitrary<number>, ...seconds: number[]): fc.Arbitrary<RandomFault> =>
	fc
		.record({
			status: statuses,
			body,
			retryAfter: fc.option(fc.constantFrom(...seconds), { nil: undefined, freq: 2 }),
			done: fc.boolean(),
		})
		.map((fault) => {
			const isBodiless = [204, 205, 304].includes(fault.status);
			const given = { ...fault, body: isBodiless ? ('empty' as const) : fault.body };
			const done = given.done && ['done', 'in doubt'].includes(judgeFault(given));
			return { ...given, done, body: given.body === 'record' && !done ? 'error' : given.body };
		});

/** Faults after which a client that tries again gets through. */
export const passingFault = oneOf<RandomFault>(
	[2, lost.filter(isPassing)],
	[3, answer(fc.constantFrom(429, 429, 429, 503, 503, 500, 502, 408), 0, 1, 2, 30)],
);

const anyStatus = fc.oneof(
	fc.integer({ min: 200, max: 599 }),
	fc.constantFrom(200, 201, 204, 301, 302, 304, 409),
);
const lastingStatus = fc.constantFrom(400, 401, 401, 401, 403, 404, 422, 429, 503);

export const anyFault = oneOf<RandomFault>(
	[6, passingFault],
	[1, lost],
	[3, answer(lastingStatus, 120, 3600)],
	[4, answer(anyStatus, 0, 1, 2, 30)],
);

export const stuckPage: fc.Arbitrary<RandomFault> = fc
	.constantFrom(...(Object.keys(stuckPages) as BodyName[]))
	.map((stuck) => ({ status: 200, body: stuck, done: true }));

/** One entry for each request in the order in which they are sent; undefined: it meets no fault. */
export type FaultSequence = Array<RandomFault | undefined>;

export const faultSequence = (fault: fc.Arbitrary<RandomFault>): fc.Arbitrary<FaultSequence> =>
	fc.array(fc.option(fault, { nil: undefined, freq: 2 }), { maxLength: 8 });
