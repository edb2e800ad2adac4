import { type ApiRequest, path } from '../../../nodes/api/request.ts';
import {
	judgeResult,
	readRetryAfter,
	type SendResult,
	type Verdict,
} from '../../../nodes/api/verdict.ts';
import { explain } from './responding.mts';

const request: ApiRequest = { method: 'POST', path: path`/persons`, body: { name: 'Ada' } };

const respond = (status: number, headers: Record<string, unknown> = {}): SendResult => ({
	responded: true,
	status,
	headers,
	body: {},
	request,
	apiKey: 'key',
});
const lose = (code?: string, syscall?: string): SendResult => ({
	responded: false,
	code,
	syscall,
	reason: 'gone',
});

const verdicts: Array<[what: string, outcome: SendResult, verdict: Verdict]> = [
	['429', respond(429), 'busy'],
	['429 with Retry-After', respond(429, { 'retry-after': '5' }), 'busy'],
	['503 with Retry-After', respond(503, { 'retry-after': '0' }), 'busy'],
	['503 with a date', respond(503, { 'retry-after': 'Sat, 21 Nov 2026 12:00:00 GMT' }), 'busy'],
	['503 without Retry-After', respond(503), 'in doubt'],
	['503 with a Retry-After that says nothing', respond(503, { 'retry-after': 'soon' }), 'in doubt'],
	...[301, 302, 307, 399, 408, 500, 502, 504, 599].map((status): [string, SendResult, Verdict] => [
		String(status),
		respond(status),
		'in doubt',
	]),
	...[400, 401, 403, 404, 409, 413, 422].map((status): [string, SendResult, Verdict] => [
		String(status),
		respond(status),
		'refused',
	]),
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map((code): [string, SendResult, Verdict] => [
		code,
		lose(code),
		'unsent',
	]),
	...['EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET'].flatMap(
		(code): Array<[string, SendResult, Verdict]> => [
			[`${code} while it connects`, lose(code, 'connect'), 'unsent'],
			[`${code} while it reads`, lose(code, 'read'), 'in doubt'],
			[`${code} of an n8n that does not say when`, lose(code), 'in doubt'],
		],
	),
	...[
		'ERR_INVALID_URL',
		'ERR_INVALID_CHAR',
		'ERR_UNESCAPED_CHARACTERS',
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'EPROTO',
		'ERR_SSL_WRONG_VERSION_NUMBER',
	].map((code): [string, SendResult, Verdict] => [code, lose(code), 'unsent']),
	...[
		'ECONNRESET',
		'ETIMEDOUT',
		'ERR_BAD_RESPONSE',
		'ERR_SSL_DECRYPTION_FAILED',
		'xEPROTO',
		'EPROTOTYPE',
		'ERR_INVALID_STATE',
		'xCERT_HAS_EXPIRED',
		'CERT',
		undefined,
	].map((code): [string, SendResult, Verdict] => [String(code), lose(code), 'in doubt']),
	['a loss without a code while it connects', lose(undefined, 'connect'), 'in doubt'],
];

test.each(verdicts)('%s: what it says about the work', (_, outcome, verdict) => {
	expect(judgeResult(outcome)).toBe(verdict);
});

describe.each(verdicts)('after %s', (_, outcome, verdict) => {
	test('the message rests on the same verdict', () => {
		const failed = { request, outcome, attempts: 1, repeated: false };
		const { details, description } = explain(failed);
		expect(details.maybeDone).toBe(verdict === 'in doubt');
		expect(description.includes('The person may have been created.')).toBe(verdict === 'in doubt');
	});

	test('a read that failed has done nothing', () => {
		const failed = {
			request: { ...request, method: 'GET' as const },
			outcome,
			attempts: 1,
			repeated: true,
		};
		const { details, description } = explain(failed);
		expect(details.maybeDone).toBe(false);
		expect(description).not.toContain('may have');
	});
});

test.each([200, 201, 204, 299])('%d is done', (status) => {
	expect(judgeResult(respond(status))).toBe('done');
});

test.each<[header: unknown, waitMs: number | undefined]>([
	['0', 0],
	['1', 1000],
	[' 3 ', 3000],
	['1.5', 1500],
	[7, 7000],
	['Fri, 01 May 2026 12:00:30 GMT', 30_000],
	['Friday, 01-May-26 12:00:30 GMT', 30_000],
	['Fri, 01 May 2026 11:00:00 GMT', 0],
	['-5', undefined],
	['5s', undefined],
	['soon', undefined],
	['Soon', undefined],
	['', undefined],
	['2026', 2_026_000],
	['2026-05-01', undefined],
	['1 May 2026 12:00:30 GMT', undefined],
	['5 seconds', undefined],
	[{}, undefined],
	[null, undefined],
	[undefined, undefined],
])('Retry-After %p is %p ms', (header, waitMs) => {
	jest.useFakeTimers({ now: new Date('2026-05-01T12:00:00Z') });
	expect(readRetryAfter({ headers: { 'retry-after': header } })).toBe(waitMs);
	jest.useRealTimers();
});
