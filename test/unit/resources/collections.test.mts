import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { checkTimeSpan } from '../../../nodes/PageAudience/resources/collections.ts';

test.each([
	[{}],
	[{ startDate: '2026-01-31T00:00:00Z' }],
	[{ endDate: '2026-01-31T00:00:00Z' }],
	[{ startDate: '2026-01-31T00:00:00+01:00', endDate: '2026-01-30T23:30:00Z' }],
])('accepts the time span %j', (span) => {
	expect(checkTimeSpan(span)).toBe(span);
});

test.each([
	['2026-01-31T00:00:00Z', '2026-01-31T00:30:00+01:00'],
	['2026-01-31T00:00:00Z', '2026-01-31T00:00:00Z'],
	['2026-01-31T00:00:00Z', '2026-01-31T01:00:00+01:00'],
])('rejects a time span from %s to %s', (startDate, endDate) => {
	expect(() => checkTimeSpan({ startDate, endDate })).toThrow(
		new ItemRefusedError([
			{
				parameter: 'Filters > Start Date',
				message: `(${startDate}) must be before End Date (${endDate})`,
			},
		]),
	);
});
