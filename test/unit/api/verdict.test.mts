import { path } from '../../../nodes/api/path.ts';
import type { ApiRequest, RequestOutcome } from '../../../nodes/api/request.ts';
import { decideRetry } from '../../../nodes/api/retry.ts';
import { judgeOutcome, type RequestVerdict } from '../../../nodes/api/verdict.ts';
import { explain } from './responding.mts';

const request: ApiRequest = { method: 'POST', path: path`/persons`, body: { name: 'Ada' } };

const respond = (status: number, headers: Record<string, unknown> = {}): RequestOutcome => ({
	responded: true,
	status,
	headers,
	body: {},
	request,
	apiKey: 'key',
});
const lose = (code?: string, syscall?: string): RequestOutcome => ({
	responded: false,
	code,
	syscall,
	reason: 'gone',
});

const verdicts: Array<[what: string, outcome: RequestOutcome, verdict: RequestVerdict]> = [
	['429', respond(429), 'busy'],
	['429 with Retry-After', respond(429, { 'retry-after': '5' }), 'busy'],
	['503 with Retry-After', respond(503, { 'retry-after': '0' }), 'busy'],
	['503 with a date', respond(503, { 'retry-after': 'Sat, 21 Nov 2026 12:00:00 GMT' }), 'busy'],
	['503 without Retry-After', respond(503), 'in doubt'],
	['503 with a Retry-After that says nothing', respond(503, { 'retry-after': 'soon' }), 'in doubt'],
	...[301, 302, 307, 399, 408, 500, 502, 504, 599].map(
		(status): [string, RequestOutcome, RequestVerdict] => [
			String(status),
			respond(status),
			'in doubt',
		],
	),
	...[400, 401, 403, 404, 409, 413, 422].map((status): [string, RequestOutcome, RequestVerdict] => [
		String(status),
		respond(status),
		'refused',
	]),
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map(
		(code): [string, RequestOutcome, RequestVerdict] => [code, lose(code), 'unsent'],
	),
	...['EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET'].flatMap(
		(code): Array<[string, RequestOutcome, RequestVerdict]> => [
			[`${code} while it connects`, lose(code, 'connect'), 'unsent'],
			[`${code} while it reads`, lose(code, 'read'), 'in doubt'],
			[`${code} of an n8n that does not say when`, lose(code), 'in doubt'],
		],
	),
	...['ERR_INVALID_URL', 'ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS'].map(
		(code): [string, RequestOutcome, RequestVerdict] => [code, lose(code), 'unsendable'],
	),
	...[
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'EPROTO',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'ERR_SSL_PACKET_LENGTH_TOO_LONG',
		'CRL_HAS_EXPIRED',
		'HOSTNAME_MISMATCH',
		'INVALID_CA',
		'INVALID_PURPOSE',
		'PATH_LENGTH_EXCEEDED',
		'ERROR_IN_CERT_NOT_AFTER_FIELD',
		'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
		'ERR_SSL_UNSUPPORTED_PROTOCOL',
		'ERR_SSL_HTTP_REQUEST',
		'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
		'ERR_SSL_UNKNOWN_PROTOCOL',
		'ERR_SSL_VERSION_TOO_LOW',
		'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
		'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
		'ERR_SSL_TLSV1_UNRECOGNIZED_NAME',
		'ERR_SSL_SSL_TLSV1_ALERT_INTERNAL_ERROR',
		'ERR_SSL_RECORD_LAYER_FAILURE',
	].map((code): [string, RequestOutcome, RequestVerdict] => [code, lose(code), 'unsendable']),
	...[
		'ECONNRESET',
		'ETIMEDOUT',
		'ERR_BAD_RESPONSE',
		'ERR_SSL_DECRYPTION_FAILED',
		'ERR_SSL_RECORD_LAYER_FAILURES',
		'xEPROTO',
		'EPROTOTYPE',
		'xCERT_HAS_EXPIRED',
		'SELF_SIGNED_CERT_IN_CHAINS',
		'HOSTNAME_MISMATCHES',
		'DEPTH_ZERO_SELF_SIGNED_CERTS',
		'INVALID_CALL',
		'PATH_LENGTH_EXCEEDED_X',
		'CERT',
		undefined,
	].map((code): [string, RequestOutcome, RequestVerdict] => [String(code), lose(code), 'in doubt']),
	['a loss without a code while it connects', lose(undefined, 'connect'), 'in doubt'],
];

test.each(verdicts)('%s: what it says about the work', (_, outcome, verdict) => {
	expect(judgeOutcome(outcome)).toBe(verdict);
});

describe.each(verdicts)('after %s', (_, outcome, verdict) => {
	const decide = (repeatable: boolean) =>
		decideRetry({
			outcome,
			repeatable,
			retries: 0,
			holdBacks: 0,
			maxRetries: 3,
			now: new Date('2026-11-21T11:59:50Z'),
			chance: 0,
		}).kind;

	test('retries and the message rest on the same verdict', () => {
		// It would be the same redirect again.
		const isRedirect = outcome.responded && outcome.status < 400;
		const kinds = {
			busy: ['hold back', 'hold back'],
			unsent: ['retry', 'retry'],
			unsendable: ['give up', 'give up'],
			refused: ['give up', 'give up'],
			'in doubt': [isRedirect ? 'give up' : 'retry', 'give up'],
		}[verdict];
		expect([decide(true), decide(false)]).toEqual(kinds);
		const failed = { request, outcome, attempts: 1, repeated: false };
		const { details, description } = explain(failed, 'https://api.example.com');
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
		const { details, description } = explain(failed, '');
		expect(details.maybeDone).toBe(false);
		expect(description).not.toContain('may have been');
	});
});
