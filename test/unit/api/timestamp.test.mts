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
		['Sat Jan 31 08:00:00 2026', '2026-01-31T08:00:00.000Z'],
		['2026-01-31', '2026-01-31T00:00:00.000Z'],
		['2026-01', '2026-01-01T00:00:00.000Z'],
		['2026-01-31 08:00:00 PM', '2026-01-31T20:00:00.000Z'],
		['1/31/2026, 8:00:00 am', '2026-01-31T08:00:00.000Z'],
		['2026/01/31 08:00', '2026-01-31T08:00:00.000Z'],
		['31 January 2026 08:00', '2026-01-31T08:00:00.000Z'],
	])('without a zone is in UTC: %j', (text, time) => {
		expect(new Date(readTimestamp(text) ?? NaN).toISOString()).toBe(time);
	});

	test.each([
		['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.000Z'],
		['2026-01-31T08:00:00+01:00', '2026-01-31T07:00:00.000Z'],
		['2026-01-31T08:00:00.5-0800', '2026-01-31T16:00:00.500Z'],
		['2026-01-31 08:00:00+01', '2026-01-31T07:00:00.000Z'],
		['2026-01-31 08:00:00 UTC', '2026-01-31T08:00:00.000Z'],
		['Sat, 31 Jan 2026 08:00:00 GMT', '2026-01-31T08:00:00.000Z'],
		['1/31/2026 8:00:00 AM EST', '2026-01-31T13:00:00.000Z'],
	])('with a zone is in that zone: %j', (text, time) => {
		expect(new Date(readTimestamp(text) ?? NaN).toISOString()).toBe(time);
	});

	test.each([
		'',
		' ',
		'soon',
		// In May or in December.
		'05/12/2026 09:30',
		'12',
		'2026',
		'session 5',
		'2026-01-31T08:00:00 in the morning',
		1769846400000,
		{},
	])('is none: %j', (value) => {
		expect(readTimestamp(value)).toBeUndefined();
	});
});
