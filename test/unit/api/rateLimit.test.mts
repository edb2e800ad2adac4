import { type Allowance, readAllowance } from '../../../nodes/api/rateLimit.ts';

const now = new Date('2026-11-21T12:00:00Z');
const nowSeconds = now.getTime() / 1000;

test.each<[what: string, headers: Record<string, unknown>, allowance: Allowance | undefined]>([
	[
		'separate headers',
		{ 'ratelimit-remaining': '7', 'ratelimit-reset': '30' },
		{ remaining: 7, resetMs: 30_000 },
	],
	[
		'X- headers with a point in time',
		{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(nowSeconds + 12) },
		{ remaining: 0, resetMs: 12_000 },
	],
	[
		'a point in time by the clock of the service',
		{
			'x-ratelimit-remaining': '0',
			'x-ratelimit-reset': String(nowSeconds + 100),
			date: 'Sat, 21 Nov 2026 12:01:30 GMT',
		},
		{ remaining: 0, resetMs: 10_000 },
	],
	[
		'X-Rate-Limit headers with a fraction',
		{ 'x-rate-limit-remaining': 3, 'x-rate-limit-reset': '0.5' },
		{ remaining: 3, resetMs: 500 },
	],
	[
		'one header with names',
		{ ratelimit: 'limit=100, remaining=50, reset=20' },
		{ remaining: 50, resetMs: 20_000 },
	],
	[
		'one header that begins with what remains',
		{ ratelimit: 'remaining=5, reset=20' },
		{ remaining: 5, resetMs: 20_000 },
	],
	[
		'one header that begins with the reset',
		{ ratelimit: 't=20;r=5' },
		{ remaining: 5, resetMs: 20_000 },
	],
	[
		'a fraction with several digits',
		{ 'ratelimit-remaining': '3', 'ratelimit-reset': '0.25' },
		{ remaining: 3, resetMs: 250 },
	],
	[
		'a whole minute',
		{ 'ratelimit-remaining': '3', 'ratelimit-reset': '60' },
		{ remaining: 3, resetMs: 60_000 },
	],
	[
		'the earliest point in time',
		{
			'ratelimit-remaining': '3',
			'ratelimit-reset': '1000000000',
			date: 'Sun, 09 Sep 2001 01:46:30 GMT',
		},
		{ remaining: 3, resetMs: 10_000 },
	],
	['one header with letters', { ratelimit: '"default";r=5;t=9' }, { remaining: 5, resetMs: 9_000 }],
	['no headers', {}, undefined],
	['no reset', { 'ratelimit-remaining': '0' }, undefined],
	['no remaining', { 'ratelimit-reset': '9' }, undefined],
	['no number', { 'ratelimit-remaining': 'few', 'ratelimit-reset': '9' }, undefined],
	['a number with a unit', { 'ratelimit-remaining': '7x', 'ratelimit-reset': '9' }, undefined],
	['a negative number', { 'ratelimit-remaining': '-1', 'ratelimit-reset': '9' }, undefined],
	['a period that is over', { 'ratelimit-remaining': '0', 'ratelimit-reset': '0' }, undefined],
	[
		'a point in time that has passed',
		{ 'ratelimit-remaining': '0', 'ratelimit-reset': String(nowSeconds - 1) },
		undefined,
	],
	[
		'a period of more than a minute',
		{ 'ratelimit-remaining': '0', 'ratelimit-reset': '61' },
		undefined,
	],
])('reads %s', (_, headers, allowance) => {
	expect(readAllowance(headers, now)).toEqual(allowance);
});
