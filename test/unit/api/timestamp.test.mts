import { readTimestamp } from '../../../nodes/api/timestamp.ts';
import { moveToTokyo } from '../../inTokyo.mts';

describe('a time of the service', () => {
	beforeEach(moveToTokyo);
	afterEach(() => jest.restoreAllMocks());

	test.each([
		['2026-01-31T08:00:00', '2026-01-31T08:00:00.000Z'],
		['2026-01-31T08:00:00.123456', '2026-01-31T08:00:00.123Z'],
		['2026-01-31 08:00:00', '2026-01-31T08:00:00.000Z'],
		[' 2026-01-31T08:00:00 ', '2026-01-31T08:00:00.000Z'],
		['2026-01-31', '2026-01-31T00:00:00.000Z'],
		['2026-01', '2026-01-01T00:00:00.000Z'],
	])('without a zone is in UTC: %j', (text, time) => {
		expect(new Date(readTimestamp(text) ?? NaN).toISOString()).toBe(time);
	});

	test.each([
		['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.000Z'],
		['2026-01-31t08:00:00z', '2026-01-31T08:00:00.000Z'],
		['2026-01-31 08:00+05:30', '2026-01-31T02:30:00.000Z'],
		['2026-01-31T08:00:00+01:00', '2026-01-31T07:00:00.000Z'],
		['2026-01-31T08:00:00.5-0800', '2026-01-31T16:00:00.500Z'],
		['2026-01-31 08:00:00+01', '2026-01-31T07:00:00.000Z'],
	])('with a zone is in that zone: %j', (text, time) => {
		expect(new Date(readTimestamp(text) ?? NaN).toISOString()).toBe(time);
	});

	test.each([
		[1_769_846_400, '2026-01-31T08:00:00.000Z'],
		[1_769_846_400.5, '2026-01-31T08:00:00.500Z'],
		[1_769_846_400_000, '2026-01-31T08:00:00.000Z'],
		[0, '1970-01-01T00:00:00.000Z'],
	])('as a number is in seconds or milliseconds since 1970: %j', (number, time) => {
		expect(new Date(readTimestamp(number) ?? NaN).toISOString()).toBe(time);
	});

	test.each([
		'',
		' ',
		'soon',
		// In May or in December.
		'05/12/2026 09:30',
		'1/31/2026, 8:00:00 am',
		'Sat, 31 Jan 2026 08:00:00 GMT',
		'2026-13-31',
		'2026-01-31T25:00:00',
		'12',
		'2026',
		'session 5',
		'2026-01-31T08:00:00 in the morning',
		true,
		null,
		['2026-01-31'],
		{},
	])('is none: %j', (value) => {
		expect(readTimestamp(value)).toBeUndefined();
	});
});
