import {
	judgeResult,
	readRetryAfter,
	type SendResult,
	type Verdict,
} from '../../../nodes/api/verdict.ts';
import { respond } from './responding.mts';

const status = (code: number, retryAfter?: string): SendResult =>
	respond({ status: code, headers: { 'retry-after': retryAfter } });
const lose = (code?: string, syscall?: string): SendResult => ({
	responded: false,
	code,
	syscall,
	reason: 'gone',
});

test.each<[Verdict, SendResult[]]>([
	['done', [200, 201, 204, 299].map((code) => status(code))],
	['refused', [400, 401, 403, 404, 409, 413, 422].map((code) => status(code))],
	[
		'busy',
		[
			...[status(429), status(429, '5'), status(503, '0')],
			status(503, 'Sat, 21 Nov 2026 12:00:00 GMT'),
		],
	],
	[
		'in doubt',
		[
			...[status(503), status(503, 'soon')],
			...[301, 399, 408, 500, 502, 599].map((code) => status(code)),
			...['ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH'].flatMap((code) => [
				lose(code),
				lose(code, 'read'),
			]),
			...['ERR_SSL_WRONG_VERSION_NUMBER', 'xEPROTO', 'EPROTOTYPE', 'ERR_INVALID_STATE'].map(
				(code) => lose(code),
			),
			...[lose('xCERT_HAS_EXPIRED'), lose('CERT'), lose(), lose(undefined, 'connect')],
		],
	],
	[
		'unsendable',
		[
			...['CERT_HAS_EXPIRED', 'EPROTO', 'ERR_UNESCAPED_CHARACTERS'],
			...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
			...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
			...['ERR_INVALID_URL', 'ERR_INVALID_CHAR'],
		].map((code) => lose(code)),
	],
	['unsent', ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map((code) => lose(code))],
	['unsent', ['EHOSTUNREACH', 'ETIMEDOUT', 'ECONNRESET'].map((code) => lose(code, 'connect'))],
])('the work is %s after %j', (verdict, results) => {
	for (const result of results) expect([result, judgeResult(result)]).toEqual([result, verdict]);
});

test.each<[header: unknown, waitMs: number | undefined]>([
	['0', 0],
	['1', 1000],
	[' 3 ', 3000],
	['1.5', 1500],
	[7, 7000],
	['Fri, 01 May 2026 12:00:30 GMT', 30_000],
	['Friday, 01-May-26 12:00:30 GMT', 30_000],
	...Array.from({ length: 7 }, (_, days): [string, number] => [
		// Each day of the week.
		new Date(Date.UTC(2026, 4, 1 + days, 12)).toUTCString(),
		days * 86_400_000,
	]),
	['Fri, 01 May 2026 11:00:00 GMT', 0],
	['-5', undefined],
	['5s', undefined],
	['soon', undefined],
	['', undefined],
	['2026', 2_026_000],
	['2026-05-01', undefined],
	['1 May 2026 12:00:30 GMT', undefined],
	['Fri May  1 12:00:30 2026', undefined],
	[{}, undefined],
	[undefined, undefined],
])('Retry-After %p is %p ms', (header, waitMs) => {
	jest.useFakeTimers({ now: new Date('2026-05-01T12:00:00Z') });
	expect(readRetryAfter({ headers: { 'retry-after': header } })).toBe(waitMs);
	jest.useRealTimers();
});
