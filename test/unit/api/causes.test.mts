import {
	type CauseName,
	causes,
	findCause,
	judgeResult,
	readRetryAfter,
	type SendResult,
	type Verdict,
} from '../../../nodes/api/causes.ts';
import { type ApiRequest, at, DELETE } from '../../../nodes/api/request.ts';
import { createPerson, explain, getPersons, lose, respond, updateAccount } from './responding.mts';

/*
 * Why a request did not succeed, and what is known of its work. A new cause is a row here. Those with a status are also in
 * docs/troubleshooting.md.
 */

const status = (code: number, headers: Record<string, unknown> = {}) =>
	respond({ status: code, headers });
const statuses = (...codes: number[]) => codes.map((code) => status(code));
const bodies = (...some: unknown[]) => some.map((body) => respond({ body }));
const losses = (...codes: string[]) => codes.map((code) => lose(code));

const squid = { 'x-squid-error': 'ERR_ACCESS_DENIED 0' };
const early = 'Client network socket disconnected before secure TLS connection was established';

type Row = [verdict: Verdict, results: SendResult[], request?: ApiRequest];

const examples: Record<CauseName, Row> = {
	refusedByN8n: ['unsendable', [{ responded: false, reason: 'blocked', isRefusal: true }]],
	untrusted: [
		'unsendable',
		losses(
			...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
			...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
		),
	],
	invalidCertificate: [
		'unsendable',
		losses('CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'),
	],
	unsendableKey: ['unsendable', losses('ERR_INVALID_CHAR')],
	noProtocol: ['unsendable', losses('EPROTO', 'ERR_INVALID_URL', 'ERR_UNESCAPED_CHARACTERS')],
	unreachable: [
		'unsent',
		[
			...losses('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'),
			...['EHOSTUNREACH', 'ETIMEDOUT', 'ECONNRESET'].map((code) => lose(code, 'connect')),
			lose('ECONNRESET', undefined, early),
		],
	],
	timedOut: ['in doubt', losses('ECONNABORTED', 'ETIMEDOUT')],
	lost: [
		'in doubt',
		[
			...['ECONNRESET', 'EHOSTUNREACH', undefined].map((code) => lose(code, 'read')),
			...losses('ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC'),
			...losses('xEPROTO', 'EPROTOTYPE', 'xCERT_HAS_EXPIRED', 'CERT', 'ERR_INVALID_STATE'),
			lose(undefined, 'connect'),
		],
	],
	brokenJson: ['in doubt', bodies('{"a":', ' \n[1,', '{')],
	webPage: ['in doubt', bodies('<p>{}</p>', ' <html>')],
	unexpected: ['in doubt', bodies('', 'ok', [], null)],
	moved: ['refused', statuses(301, 307, 308)],
	redirected: ['in doubt', statuses(302, 303, 399)],
	rejected: ['refused', statuses(400, 406, 451)],
	keyRejected: ['refused', statuses(401)],
	unpaid: ['refused', statuses(402)],
	forbidden: ['refused', [status(403), status(403, { via: '1.1 google', 'proxy-status': 'cdn' })]],
	recordMissing: ['refused', statuses(404, 410), updateAccount],
	valueMissing: ['refused', statuses(404, 410)],
	addressMissing: ['refused', statuses(404, 410), getPersons],
	unsupported: ['refused', statuses(405)],
	byProxy: ['refused', [status(407), status(403, squid), status(418, { 'proxy-agent': 'a' })]],
	duplicate: ['refused', statuses(409)],
	wrongState: ['refused', statuses(409), DELETE(at.page`/pages/${'p'}`)],
	tooLarge: ['refused', statuses(413)],
	invalidValues: ['refused', statuses(422)],
	// Whether a request is sent again is never decided by a header that a proxy may have set.
	rateLimited: ['busy', [status(429, { 'retry-after': '5' }), status(429, squid)]],
	failing: ['in doubt', [...statuses(500, 501, 408, 519), status(408, squid)]],
	unavailable: [
		'in doubt',
		[...statuses(502, 503, 504, 522), status(503, squid), status(503, { 'retry-after': 'soon' })],
	],
	comesBack: [
		'busy',
		['0', 'Sat, 21 Nov 2026 12:00:00 GMT'].map((at) =>
			status(503, { 'retry-after': at, ...squid }),
		),
	],
};

const rows = Object.entries(examples) as Array<[CauseName, Row]>;

test.each(rows)('%s', (name, [verdict, results, request = createPerson]) => {
	const { message, advice, passes } = causes[name];
	for (const result of results) {
		const sent = result.responded ? { ...result, request } : result;
		const isGood = sent.responded && sent.status === 200 && name !== 'brokenJson';
		expect([sent, findCause(sent), judgeResult(sent)]).toEqual(
			isGood ? [sent, undefined, 'done'] : [sent, name, verdict],
		);
		const told = explain(request, sent);
		const [before, after = ''] = message.split(/\{\w+\}/);
		expect(told.message.startsWith(before)).toBe(true);
		expect(told.message).toContain(sent.responded ? `${after} (${sent.status})` : after);
		expect(told.description).toContain(advice);
		expect(told.details).toMatchObject({
			...(sent.responded ? { status: sent.status } : { code: sent.code }),
			maybeDone: verdict === 'in doubt' && request !== getPersons,
		});
	}
	// Who retries is said only where a retry may help, and never by the advice.
	if (verdict !== 'in doubt') expect(passes).toBe(verdict === 'busy');
	expect(advice).not.toMatch(/retry|try again/i);
});

test.each<[waitMs: number | undefined, headers: unknown[]]>([
	[0, ['0', 'Fri, 01 May 2026 11:00:00 GMT']],
	[1_000, ['1']],
	[1_500, ['1.5']],
	[3_000, [' 3 ']],
	[7_000, [7]],
	[2_026_000, ['2026']],
	[30_000, ['Fri, 01 May 2026 12:00:30 GMT', 'Friday, 01-May-26 12:00:30 GMT']],
	// Each day of the week.
	...Array.from({ length: 7 }, (_, days): [number, unknown[]] => [
		days * 86_400_000,
		[new Date(Date.UTC(2026, 4, 1 + days, 12)).toUTCString()],
	]),
	[undefined, ['-5', '5s', 'soon', '', '2026-05-01', {}, undefined]],
	[undefined, ['1 May 2026 12:00:30 GMT', 'Fri May  1 12:00:30 2026']],
])('%p ms are waited by each Retry-After of %j', (waitMs, headers) => {
	jest.useFakeTimers({ now: new Date('2026-05-01T12:00:00Z') });
	const waits = headers.map((header) => readRetryAfter({ headers: { 'retry-after': header } }));
	jest.useRealTimers();
	expect(waits).toEqual(headers.map(() => waitMs));
});
