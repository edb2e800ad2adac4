import { DateTime } from 'luxon';
import { readDate } from '../../../nodes/parameters/dates.ts';
import { attempt, refuse, told } from './refused.mts';

const [berlin, tokyo] = ['Europe/Berlin', 'Asia/Tokyo'];

/** The name of no time zone. */
const munich = 'Europe/Munich';

/** Any text with this one in it. */
const withText = (part: string) => told(expect.stringContaining(part) as string);
const noZone = withText(
	'cannot be read, because there is no time zone "Europe/Munich": choose one in the workflow\'s settings, or correct GENERIC_TIMEZONE',
);
const ambiguous = withText(
	"which countries read in different ways: use {{ DateTime.fromFormat($json.date, 'M/d/yyyy') }}",
);
const dayNumber = withText(
	"a day number of a spreadsheet: use {{ $json.date.toDateTime('excel').toUTC().toISODate() }}",
);

type Row = [value: unknown, outcome: unknown, zone?: string];

/** Rows of values with one outcome. */
const rows = (values: unknown[], outcome: unknown, zone?: string) =>
	values.map((value): Row => [value, outcome, zone]);

/** Numbers and objects. Texts are in test/truth/dates.txt. */
test.each<Row>([
	[1_767_225_600_000, '2026-01-01T00:00:00Z'],
	[946_684_800, '2000-01-01T00:00:00Z'],
	[4_102_444_799.5, '2099-12-31T23:59:59.500Z'],
	// The smallest number of milliseconds: the same moment.
	[946_684_800_000, '2000-01-01T00:00:00Z'],
	[20260131, '2026-01-31T00:00:00+01:00'],
	[new Date('2026-01-31T08:00:00Z'), '2026-01-31T08:00:00Z'],
	[DateTime.fromISO('2026-01-31T08:00:00', { zone: tokyo }), '2026-01-31T08:00:00+09:00'],
	['2026-01-31\u202f08:00', '2026-01-31T08:00:00+01:00'],
	['\ufeff2026-01-31\u200b', '2026-01-31T00:00:00+01:00'],
	['2026-03-29T03:00:00', '2026-03-29T03:00:00+02:00'],
	// An hour that a time change repeats or skips.
	['2026-10-25T02:30:00', expect.stringMatching(/^2026-10-25T02:30:00\+0[12]:00$/)],
	['2026-03-29T02:30:00', expect.stringMatching(/T(01:30:00\+01|03:30:00\+02):00$/)],
	['2026-01-31', '2026-01-31T00:00:00Z', 'UTC'],
	['2026-01-31', '2026-01-31T00:00:00+05:30', 'Asia/Kolkata'],
	['2026-01-31T08:00:00+01:00', '2026-01-31T08:00:00+01:00', munich],
	[1_769_814_000_000, '2026-01-30T23:00:00Z', munich],
	...rows(['2026-01-31T00:00:00', '2026-01-31', '31.1.2026, 8:00'], noZone, munich),
	...rows(['11/26/2026', '26/11/2026', '1/2/26', '05-11-2026', '11/26/2026 8:00 PM'], ambiguous),
	...rows([46053, '46053', 46053.5], dayNumber),
	...refuse('yesterday', '2026-W05', '2026-W05-6', '01.31.2026', '2026/31/01', '08:30'),
	...refuse('31.01.2026x', '2026-02-30', '2026-01-31T25:00:00', '2026-01-31T08:00:00+99:99'),
	...refuse('31 Jan 2026', 'Sat, 31 Jan 2026 08:00:00 GMT', '2026/01/31 8:00 PM'),
	...refuse('2026-01-31\u0000', ['2026-01-31']),
	// No year, no day and no moment that anybody means.
	...refuse(99_999_999, 946_684_799, 4_102_444_800, 4_102_444_800_000, 20260131080000, 8.7e15),
	...refuse('0', '202601', '+002026-01-31', -1_767_225_600, '9999999999999999999', '0026-01-31'),
	...refuse('2026-01-31T08:00:00+24:00', '31.01.0026', '1969-12-31T23:59:59Z', '9999-12-31'),
	...refuse('0000', new Date(NaN), DateTime.invalid('made so'), Object.create(null)),
])('%p is read as %j', (value, outcome, zone = berlin) => {
	expect(attempt(() => readDate(value, zone))).toEqual(outcome);
});

const endOfDay = '2026-01-31T23:59:59.999+01:00';

test.each<Row>([
	// What the date picker stores for a day, and a date without a time.
	...rows(['2026-01-31T00:00:00', '2026-01-31 00:00:00', '20260131T000000'], endOfDay),
	...rows(['2026-01-31', '20260131'], endOfDay),
	// The same moment, as $today and a JavaScript date give it.
	...rows(['2026-01-31T00:00:00.000+01:00', '2026-01-30T23:00:00.000Z'], endOfDay),
	...rows([new Date('2026-01-30T23:00:00Z'), 1_769_814_000_000], endOfDay),
	[DateTime.fromISO('2026-01-31', { zone: berlin }), endOfDay],
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
	[DateTime.fromISO('2026-01-31', { zone: tokyo }), '2026-01-31T00:00:00+09:00'],
	['2026-01-31T00:00:00', noZone, munich],
	// Whether it ends a day there, no offset tells.
	...rows(['2026-01-31T00:00:00+01:00', 1_769_814_000_000], noZone, munich),
])('%p as the end of a period is %j', (value, outcome, zone = berlin) => {
	expect(attempt(() => readDate(value, zone, 'end'))).toEqual(outcome);
});
