import { type ApiRequest, at } from '../../../nodes/api/request.ts';
import type { SendResult } from '../../../nodes/api/causes.ts';
import { type Attempts, decideNext, type NextStep } from '../../../nodes/api/verdict.ts';
import { respond } from './responding.mts';

const status = (code: number, retryAfter?: string): SendResult =>
	respond({ status: code, headers: { 'retry-after': retryAfter } });
const lose = (code: string): SendResult => ({ responded: false, code, reason: 'gone' });

const get: ApiRequest = { method: 'GET', ...at.person`/persons` };
const create: ApiRequest = { method: 'POST', ...at.person`/persons`, body: {} };
const log: ApiRequest = { ...create, repeatable: true };
const first: Attempts = { retries: 0, maxRetries: 3, pauses: 0, refusedMs: 0, jitter: 1 };
const inFiveMinutes = 'The next attempt would be in 301 seconds. ';

test.each<[string, ApiRequest, SendResult, Partial<Attempts>, NextStep]>([
	['the key was rejected', get, status(401), {}, { step: 'end' }],
	['a value was rejected', get, status(422), {}, { step: 'fail' }],
	['the certificate is wrong', get, lose('CERT_HAS_EXPIRED'), {}, { step: 'fail' }],
	[
		'n8n refuses',
		get,
		{ responded: false, reason: 'blocked', isRefusal: true },
		{},
		{ step: 'fail' },
	],
	['the service redirects', get, status(302), {}, { step: 'fail' }],

	['a read is in doubt', get, status(500), {}, { step: 'retry', waitMs: 500 }],
	['a read was cut', get, respond({ body: '{"items":[' }), {}, { step: 'retry', waitMs: 500 }],
	['a create was cut', create, respond({ body: '{"a":' }), {}, { step: 'fail' }],
	['a create is in doubt', create, status(500), {}, { step: 'fail' }],
	['a create was lost', create, lose('ECONNRESET'), {}, { step: 'fail' }],
	['a create was not sent', create, lose('ENOTFOUND'), {}, { step: 'retry', waitMs: 500 }],
	['an entry with a key is in doubt', log, status(502), {}, { step: 'retry', waitMs: 500 }],
	['it was retried before', get, status(500), { retries: 2 }, { step: 'retry', waitMs: 2_000 }],
	['pauses are no retries', get, status(500), { pauses: 5 }, { step: 'retry', waitMs: 500 }],
	['no retry is left', get, status(500), { retries: 3 }, { step: 'fail' }],
	['it must be sent once', get, lose('ENOTFOUND'), { maxRetries: 0 }, { step: 'fail' }],
	[
		'waits have a bound',
		get,
		status(500),
		{ retries: 9, maxRetries: 10 },
		{ step: 'retry', waitMs: 30_000 },
	],
	['half of a wait is chance', get, status(500), { jitter: 0 }, { step: 'retry', waitMs: 250 }],
	['the service names a time', get, status(500, '7'), {}, { step: 'retry', waitMs: 7_000 }],
	['it names "at once"', get, status(500, '0'), {}, { step: 'retry', waitMs: 500 }],
	['it names a short time', get, status(500, '0.5'), { jitter: 0 }, { step: 'retry', waitMs: 500 }],
	['it names the longest time', get, status(500, '300'), {}, { step: 'retry', waitMs: 300_000 }],
	[
		'it names too long a time',
		get,
		status(500, '301'),
		{},
		{ step: 'fail', reason: inFiveMinutes },
	],
	[
		'others wait for nothing',
		get,
		status(500),
		{ refusedMs: 900_000 },
		{ step: 'retry', waitMs: 500 },
	],

	['the limit is reached', create, status(429), {}, { step: 'pause', waitMs: 500 }],
	['it is reached again', create, status(429), { pauses: 2 }, { step: 'pause', waitMs: 2_000 }],
	['no retry is needed', create, status(429), { retries: 3 }, { step: 'pause', waitMs: 500 }],
	['the limit names a time', create, status(429, '9'), {}, { step: 'pause', waitMs: 9_000 }],
	['it names a short one', get, status(429, '1'), { pauses: 8 }, { step: 'pause', waitMs: 1_000 }],
	['the service is busy', create, status(503, '9'), {}, { step: 'pause', waitMs: 9_000 }],
	['nobody may wait', create, status(429, '9'), { maxRetries: 0 }, { step: 'end' }],
	[
		'patience just lasts',
		get,
		status(429, '60'),
		{ refusedMs: 240_000 },
		{ step: 'pause', waitMs: 60_000 },
	],
	['patience ends', get, status(429, '301'), {}, { step: 'end', reason: inFiveMinutes }],
	[
		'patience was used up before',
		get,
		status(429, '60'),
		{ refusedMs: 240_001 },
		{ step: 'end', reason: 'The next attempt would be in 60 seconds. ' },
	],
])('what follows when %s', (_, request, result, attempts, expected) => {
	const next = decideNext(request, result, { ...first, ...attempts });
	if ('reason' in expected) {
		const { reason } = expected;
		expect(next).toEqual({
			...expected,
			reason: expect.stringContaining(String(reason)) as string,
		});
	} else {
		expect(next).toEqual(expected);
	}
});
