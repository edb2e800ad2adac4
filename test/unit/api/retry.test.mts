import fc from 'fast-check';
import type { RequestOutcome } from '../../../nodes/api/request.ts';
import { decideRetry, type RetrySituation } from '../../../nodes/api/retry.ts';
import { readRetryAfter } from '../../../nodes/api/retryAfter.ts';
import { generated } from '../../generated.mts';
import { respond } from './responding.mts';

const now = new Date('2026-05-01T12:00:00Z');

const answer = (status: number, retryAfter?: string): RequestOutcome =>
	respond({ status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
const loss = (code?: string): RequestOutcome => ({ responded: false, code, reason: 'gone' });

const decide = (situation: Partial<RetrySituation> & { outcome: RequestOutcome }) =>
	decideRetry({
		repeatable: true,
		retries: 0,
		holdBacks: 0,
		maxRetries: 3,
		now,
		chance: 0,
		...situation,
	});

describe('what follows an attempt', () => {
	test.each<[what: string, outcome: RequestOutcome, repeatable: string, unrepeatable: string]>([
		['400', answer(400), 'give up', 'give up'],
		['400 with Retry-After', answer(400, '1'), 'give up', 'give up'],
		['401', answer(401), 'give up', 'give up'],
		['403', answer(403), 'give up', 'give up'],
		['404', answer(404), 'give up', 'give up'],
		['409', answer(409), 'give up', 'give up'],
		['422', answer(422), 'give up', 'give up'],
		['a redirect', answer(302), 'give up', 'give up'],
		['408', answer(408), 'retry', 'give up'],
		['429', answer(429), 'hold back', 'hold back'],
		['429 with seconds', answer(429, '2'), 'hold back', 'hold back'],
		['429 with nonsense', answer(429, 'soon'), 'hold back', 'hold back'],
		['500', answer(500), 'retry', 'give up'],
		['500 with Retry-After', answer(500, '2'), 'retry', 'give up'],
		['502', answer(502), 'retry', 'give up'],
		['503', answer(503), 'retry', 'give up'],
		['503 with seconds', answer(503, '2'), 'hold back', 'hold back'],
		['503 with a date', answer(503, 'Fri, 01 May 2026 12:00:03 GMT'), 'hold back', 'hold back'],
		['503 with nonsense', answer(503, 'soon'), 'retry', 'give up'],
		['504', answer(504), 'retry', 'give up'],
		['599', answer(599), 'retry', 'give up'],
		['ECONNREFUSED', loss('ECONNREFUSED'), 'retry', 'retry'],
		['ENOTFOUND', loss('ENOTFOUND'), 'retry', 'retry'],
		['EAI_AGAIN', loss('EAI_AGAIN'), 'retry', 'retry'],
		['ECONNRESET', loss('ECONNRESET'), 'retry', 'give up'],
		['ETIMEDOUT', loss('ETIMEDOUT'), 'retry', 'give up'],
		['ECONNABORTED', loss('ECONNABORTED'), 'retry', 'give up'],
		['EPIPE', loss('EPIPE'), 'retry', 'give up'],
		['a loss without a code', loss(), 'retry', 'give up'],
	])('%s', (_, outcome, repeatable, unrepeatable) => {
		expect(decide({ outcome, repeatable: true }).kind).toBe(repeatable);
		expect(decide({ outcome, repeatable: false }).kind).toBe(unrepeatable);
		expect(decide({ outcome, maxRetries: 0 }).kind).toBe('give up');
	});

	test('counts retries, but not pauses for the rate limit', () => {
		expect(decide({ outcome: answer(500), retries: 2 }).kind).toBe('retry');
		expect(decide({ outcome: answer(500), retries: 3 }).kind).toBe('give up');
		expect(decide({ outcome: answer(429), retries: 3, holdBacks: 99 }).kind).toBe('hold back');
		expect(decide({ outcome: answer(500), retries: 0, holdBacks: 99 }).kind).toBe('retry');
	});
});

describe('the wait before a retry', () => {
	test.each<[retries: number, chance: number, waitMs: number]>([
		[0, 0, 250],
		[0, 0.999999, 500],
		[1, 0, 500],
		[2, 0, 1000],
		[3, 0.5, 3000],
		[9, 0, 15_000],
		[9, 0.999999, 30_000],
		[2000, 0, 15_000],
	])('after %d retries, by chance %d: %d ms', (retries, chance, waitMs) => {
		const situation = { outcome: answer(500), retries, chance, maxRetries: 9999 };
		expect(decide(situation)).toEqual({ kind: 'retry', waitMs });
	});

	test('follows Retry-After', () => {
		expect(decide({ outcome: answer(429, '2') })).toEqual({ kind: 'hold back', waitMs: 2000 });
		expect(decide({ outcome: answer(500, '7') })).toEqual({ kind: 'retry', waitMs: 7000 });
		// Half a second is long enough, however many pauses there were before.
		expect(decide({ outcome: answer(429, '0.5'), holdBacks: 9 })).toEqual({
			kind: 'hold back',
			waitMs: 500,
		});
		expect(decide({ outcome: answer(429, 'Fri, 01 May 2026 12:00:05 GMT') })).toEqual({
			kind: 'hold back',
			waitMs: 5000,
		});
	});

	test.each(['0', '0.001', 'Fri, 01 May 2026 11:00:00 GMT'])(
		'pauses although Retry-After is %s',
		(retryAfter) => {
			const waits = [0, 1, 5, 50].map((holdBacks) =>
				decide({ outcome: answer(429, retryAfter), holdBacks }),
			);
			for (const decision of waits) {
				expect(decision).toMatchObject({ kind: 'hold back' });
				expect(decision).toHaveProperty('waitMs');
				expect('waitMs' in decision && decision.waitMs).toBeGreaterThanOrEqual(250);
			}
		},
	);

	test('waits up to a minute, and otherwise gives up and names the seconds', () => {
		expect(decide({ outcome: answer(429, '60') })).toEqual({ kind: 'hold back', waitMs: 60_000 });
		for (const retryAfter of ['61', 'Fri, 01 May 2026 12:01:01 GMT']) {
			const decision = decide({ outcome: answer(429, retryAfter) });
			expect(decision).toEqual({
				kind: 'give up',
				reason:
					'The service asks for a pause of 61 seconds (Retry-After). A run waits 60 seconds at most.',
			});
		}
		expect(decide({ outcome: answer(429, '9'.repeat(400)) }).kind).toBe('give up');
	});
});

test.each<[header: unknown, waitMs: number | undefined]>([
	['0', 0],
	['1', 1000],
	[' 3 ', 3000],
	['1.5', 1500],
	['1.25', 1250],
	[7, 7000],
	['Fri, 01 May 2026 12:00:30 GMT', 30_000],
	['Friday, 01-May-26 12:00:30 GMT', 30_000],
	['Fri May  1 12:00:30 2026 UTC', 30_000],
	['Fri, 01 May 2026 11:00:00 GMT', 0],
	['-5', undefined],
	['5s', undefined],
	['soon', undefined],
	['Soon', undefined],
	['', undefined],
	['2026', 2_026_000],
	['2026-05-01', undefined],
	['1 May 2026 12:00:30 GMT', undefined],
	['on Fri, 01 May 2026 12:00:30 GMT', undefined],
	['5 seconds', undefined],
	['FRI, 01 MAY 2026 12:00:30 GMT', undefined],
	[['1'], undefined],
	[{}, undefined],
	[null, undefined],
	[undefined, undefined],
])('Retry-After %p is %p ms', (header, waitMs) => {
	expect(readRetryAfter({ 'retry-after': header }, now)).toBe(waitMs);
});

describe('Retry-After as a date', () => {
	const at = (time: number) => new Date(time).toUTCString();

	test('is compared with the Date of the same response, however wrong a clock is', () => {
		fc.assert(
			fc.property(
				fc.record({
					status: fc.constantFrom(429, 503),
					asked: fc.integer({ min: 1, max: 59 }),
					skewMs: fc.integer({ min: -400 * 86_400_000, max: 400 * 86_400_000 }),
					// The service writes whole seconds.
					fraction: fc.integer({ min: 0, max: 999 }),
				}),
				({ status, asked, skewMs, fraction }) => {
					const there = now.getTime() + skewMs + fraction;
					const again = Math.ceil(there / 1000) * 1000 + asked * 1000;
					const headers = { date: at(there), 'retry-after': at(again) };
					const decision = decide({ outcome: respond({ status, headers }) });
					expect(decision.kind).toBe('hold back');
					const { waitMs } = decision as { waitMs: number };
					// Not before the service says, and at most the second later that it does not write.
					expect(waitMs).toBeGreaterThanOrEqual(again - there);
					expect(waitMs).toBeLessThan(again - there + 1000);
				},
			),
			generated(500),
		);
	});

	test.each([undefined, '', 'soon', '1790000000', 1_790_000_000, ['a'], 'Nov 22'])(
		"is compared with n8n's clock where the Date is %p",
		(date) => {
			const headers = { date, 'retry-after': at(now.getTime() + 7_000) };
			expect(readRetryAfter(headers, now)).toBe(7_000);
		},
	);

	test('that has passed for the service is a pause of our own', () => {
		const headers = { date: at(now.getTime() + 90_000), 'retry-after': at(now.getTime() + 89_000) };
		expect(decide({ outcome: respond({ status: 429, headers }) })).toEqual({
			kind: 'hold back',
			waitMs: 250,
		});
	});

	test('in seconds does not depend on a clock', () => {
		const headers = { date: at(now.getTime() + 90_000), 'retry-after': '3' };
		expect(readRetryAfter(headers, now)).toBe(3_000);
	});
});
