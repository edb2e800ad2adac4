import type { SendResult } from '../../../nodes/api/causes.ts';
import type { ApiRequest } from '../../../nodes/api/request.ts';
import { type Attempts, decideNext } from '../../../nodes/api/verdict.ts';
import { createPerson as create, getPersons as get, lose, respond } from './responding.mts';

const status = (code: number, retryAfter?: string) =>
	respond({ status: code, headers: { 'retry-after': retryAfter } });
const cut = (body: string) => respond({ body });
const blocked: SendResult = { responded: false, reason: 'blocked', isRefusal: true };
const log: ApiRequest = { ...create, repeatable: true };
const first: Attempts = { retries: 0, maxRetries: 3, pauses: 0, refusedMs: 0, jitter: 1 };

/** The step, with its wait in milliseconds, or when the next attempt would be. */
type Row = [string, ApiRequest, SendResult, Partial<Attempts>, next: string];

test.each<Row>([
	['the key was rejected', get, status(401), {}, 'end'],
	['a value was rejected', get, status(422), {}, 'fail'],
	['the certificate is wrong', get, lose('CERT_HAS_EXPIRED'), {}, 'fail'],
	['n8n refuses', get, blocked, {}, 'fail'],
	['the service redirects', get, status(302), {}, 'fail'],

	['a read is in doubt', get, status(500), {}, 'retry 500'],
	['a read was cut', get, cut('{"items":['), {}, 'retry 500'],
	['a create was cut', create, cut('{"a":'), {}, 'fail'],
	['a create is in doubt', create, status(500), {}, 'fail'],
	['a create was lost', create, lose('ECONNRESET'), {}, 'fail'],
	['a create was not sent', create, lose('ENOTFOUND'), {}, 'retry 500'],
	['an entry with a key is in doubt', log, status(502), {}, 'retry 500'],
	['it was retried before', get, status(500), { retries: 2 }, 'retry 2000'],
	['pauses are no retries', get, status(500), { pauses: 5 }, 'retry 500'],
	['no retry is left', get, status(500), { retries: 3 }, 'fail'],
	['it must be sent once', get, lose('ENOTFOUND'), { maxRetries: 0 }, 'fail'],
	['waits have a bound', get, status(500), { retries: 9, maxRetries: 10 }, 'retry 30000'],
	['half of a wait is chance', get, status(500), { jitter: 0 }, 'retry 250'],
	['the service names a time', get, status(500, '7'), {}, 'retry 7000'],
	['it names "at once"', get, status(500, '0'), {}, 'retry 500'],
	['it names a short time', get, status(500, '0.5'), { jitter: 0 }, 'retry 500'],
	['it names the longest time', get, status(500, '300'), {}, 'retry 300000'],
	['it names too long a time', get, status(500, '301'), {}, 'fail in 301 seconds'],
	['others wait for nothing', get, status(500), { refusedMs: 900_000 }, 'retry 500'],

	['the limit is reached', create, status(429), {}, 'pause 500'],
	['it is reached again', create, status(429), { pauses: 2 }, 'pause 2000'],
	['no retry is needed', create, status(429), { retries: 3 }, 'pause 500'],
	['the limit names a time', create, status(429, '9'), {}, 'pause 9000'],
	['it names a short one', get, status(429, '1'), { pauses: 8 }, 'pause 1000'],
	['the service is busy', create, status(503, '9'), {}, 'pause 9000'],
	['nobody may wait', create, status(429, '9'), { maxRetries: 0 }, 'end'],
	['patience just lasts', get, status(429, '60'), { refusedMs: 240_000 }, 'pause 60000'],
	['patience ends', get, status(429, '301'), {}, 'end in 301 seconds'],
	['it was used up', get, status(429, '60'), { refusedMs: 240_001 }, 'end in 60 seconds'],
])('what follows when %s', (_, request, result, attempts, expected) => {
	const next: { step: string; waitMs?: number; reason?: string } = decideNext(request, result, {
		...first,
		...attempts,
	});
	const [told] = /in \d+ seconds/.exec(next.reason ?? '') ?? [];
	const said = [next.step, next.waitMs, told].filter((each) => each !== undefined);
	expect(said.join(' ')).toBe(expected);
});
