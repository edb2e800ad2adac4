import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { checkTimeSpan } from '../../../nodes/PageAudience/resources/dateFilters.ts';

test.each([
	[{}],
	[{ startDate: '2026-01-31T00:00:00Z' }],
	[{ endDate: '2026-01-31T00:00:00Z' }],
	[{ startDate: '2026-01-31T00:00:00Z', endDate: '2026-01-31T00:00:00Z' }],
	[{ startDate: '2026-01-31T00:00:00+01:00', endDate: '2026-01-30T23:30:00Z' }],
])('accepts the time span %j', (span) => {
	expect(checkTimeSpan(span)).toBe(span);
});

test('rejects a time span that runs backwards, also across time zones', () => {
	const span = { startDate: '2026-01-31T00:00:00Z', endDate: '2026-01-31T00:30:00+01:00' };
	expect(() => checkTimeSpan(span)).toThrow(ItemRefusedError);
	expect(() => checkTimeSpan(span)).toThrow(/Start Date .* is after End Date/);
});
