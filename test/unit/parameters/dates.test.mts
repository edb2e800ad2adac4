import { DateTime } from 'luxon';
import { InvalidValueError } from '../../../nodes/parameters/checks.ts';
import { readDate } from '../../../nodes/parameters/dates.ts';

const berlin = 'Europe/Berlin';

/** Numbers and objects. Texts are in test/truth/dates.txt. */
test.each<[value: unknown, sent: string]>([
	[1_767_225_600_000, '2026-01-01T00:00:00Z'],
	[946_684_800, '2000-01-01T00:00:00Z'],
	[4_102_444_799.5, '2099-12-31T23:59:59.500Z'],
	// The smallest number of milliseconds: the same moment.
	[946_684_800_000, '2000-01-01T00:00:00Z'],
	[20260131, '2026-01-31T00:00:00+01:00'],
	[new Date('2026-01-31T08:00:00Z'), '2026-01-31T08:00:00Z'],
	[DateTime.fromISO('2026-01-31T08:00:00', { zone: 'Asia/Tokyo' }), '2026-01-31T08:00:00+09:00'],
	['2026-01-31\u202f08:00', '2026-01-31T08:00:00+01:00'],
	['\ufeff2026-01-31\u200b', '2026-01-31T00:00:00+01:00'],
	['2026-03-29T03:00:00', '2026-03-29T03:00:00+02:00'],
])('%p is read as %s', (value, sent) => {
	expect(readDate(value, berlin)).toBe(sent);
});

test('accepts an hour that a time change repeats or skips', () => {
	expect(readDate('2026-10-25T02:30:00', berlin)).toMatch(/^2026-10-25T02:30:00\+0[12]:00$/);
	expect(readDate('2026-03-29T02:30:00', berlin)).toMatch(/T(01:30:00\+01|03:30:00\+02):00$/);
});

test('a date without a zone is in that of the workflow', () => {
	expect(readDate('2026-01-31', 'UTC')).toBe('2026-01-31T00:00:00Z');
	expect(readDate('2026-01-31', 'Asia/Kolkata')).toBe('2026-01-31T00:00:00+05:30');
});

describe('in a time zone that does not exist', () => {
	const munich = 'Europe/Munich';

	test.each<[value: unknown, edge: 'start' | 'end']>([
		['2026-01-31T00:00:00', 'start'],
		['2026-01-31', 'start'],
		['31.1.2026, 8:00', 'start'],
		['2026-01-31T00:00:00', 'end'],
		// Whether it ends a day there, no offset tells.
		['2026-01-31T00:00:00+01:00', 'end'],
		[1_769_814_000_000, 'end'],
	])('%p as the %s of a period is refused', (value, edge) => {
		expect(() => readDate(value, munich, edge)).toThrow(
			'cannot be read, because there is no time zone "Europe/Munich": choose one in the workflow\'s settings, or correct GENERIC_TIMEZONE',
		);
	});

	test.each([
		['2026-01-31T08:00:00+01:00', '2026-01-31T08:00:00+01:00'],
		[1_769_814_000_000, '2026-01-30T23:00:00Z'],
	])('%p says its own', (value, sent) => {
		expect(readDate(value, munich)).toBe(sent);
	});
});

test.each([
	...['yesterday', '2026-W05', '2026-W05-6', '01.31.2026', '2026/31/01', '2026/01/31 8:00 PM'],
	...['31.01.2026x', '2026-02-30', '2026-01-31T25:00:00', '2026-01-31T08:00:00+99:99', '08:30'],
	...['31 Jan 2026', 'Sat, 31 Jan 2026 08:00:00 GMT', '2026-01-31\u0000', ['2026-01-31']],
	// No year, no day and no moment that anybody means.
	...[99_999_999, 946_684_799, 4_102_444_800, 4_102_444_800_000, 20260131080000, 8.7e15],
	...['0', '202601', '+002026-01-31', -1_767_225_600, '9999999999999999999', '0026-01-31', '0000'],
	...['2026-01-31T08:00:00+24:00', '31.01.0026', '1969-12-31T23:59:59Z', '9999-12-31'],
	...[new Date(NaN), DateTime.invalid('made so'), Object.create(null)],
])('rejects %p', (value) => {
	expect(() => readDate(value, berlin)).toThrow(InvalidValueError);
});

test.each<[value: unknown, advice: string]>([
	...['11/26/2026', '26/11/2026', '1/2/26', '05-11-2026', '11/26/2026 8:00 PM'].map(
		(value): [string, string] => [
			value,
			"which countries read in different ways: use {{ DateTime.fromFormat($json.date, 'M/d/yyyy') }}",
		],
	),
	...[46053, '46053', 46053.5].map((value): [unknown, string] => [
		value,
		"a day number of a spreadsheet: use {{ $json.date.toDateTime('excel').toUTC().toISODate() }}",
	]),
])('names what makes a date of %p', (value, advice) => {
	expect(() => readDate(value, berlin)).toThrow(advice);
});

describe('the end of a period', () => {
	test.each<[value: unknown, sent: string]>([
		// What the date picker stores for a day, and a date without a time.
		['2026-01-31T00:00:00', '2026-01-31T23:59:59.999+01:00'],
		['2026-01-31 00:00:00', '2026-01-31T23:59:59.999+01:00'],
		['2026-01-31', '2026-01-31T23:59:59.999+01:00'],
		['20260131', '2026-01-31T23:59:59.999+01:00'],
		['20260131T000000', '2026-01-31T23:59:59.999+01:00'],
		// The same moment, as $today and a JavaScript date give it.
		['2026-01-31T00:00:00.000+01:00', '2026-01-31T23:59:59.999+01:00'],
		['2026-01-30T23:00:00.000Z', '2026-01-31T23:59:59.999+01:00'],
		[new Date('2026-01-30T23:00:00Z'), '2026-01-31T23:59:59.999+01:00'],
		[DateTime.fromISO('2026-01-31', { zone: berlin }), '2026-01-31T23:59:59.999+01:00'],
		[1_769_814_000_000, '2026-01-31T23:59:59.999+01:00'],
		// The day of the change to summer time.
		['2026-03-29', '2026-03-29T23:59:59.999+02:00'],
		// Longer periods.
		['2026-02', '2026-02-28T23:59:59.999+01:00'],
		['2026', '2026-12-31T23:59:59.999+01:00'],
		// A moment is a moment.
		['2026-01-31T00:00:01', '2026-01-31T00:00:01+01:00'],
		['2026-01-31T00:00:00Z', '2026-01-31T00:00:00Z'],
		['2026-01-31T00:00:00+02:00', '2026-01-31T00:00:00+02:00'],
		['1768046400000', '2026-01-10T12:00:00Z'],
		['2026-01-31T24:00:00', '2026-02-01T00:00:00+01:00'],
		[DateTime.fromISO('2026-01-31', { zone: 'Asia/Tokyo' }), '2026-01-31T00:00:00+09:00'],
	])('%p is read as %s', (value, sent) => {
		expect(readDate(value, berlin, 'end')).toBe(sent);
	});
});
