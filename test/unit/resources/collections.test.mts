import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { checkTimeSpan } from '../../../nodes/PageAudience/resources/collections.ts';

const start = '2026-01-31T00:00:00Z';

test.each([
	[{}],
	[{ startDate: start }],
	[{ endDate: start }],
	[{ startDate: '2026-01-31T00:00:00+01:00', endDate: '2026-01-30T23:30:00Z' }],
])('accepts the time span %j', (span) => {
	expect(checkTimeSpan(span)).toBe(span);
});

test.each(['2026-01-31T00:30:00+01:00', start, '2026-01-31T01:00:00+01:00'])(
	'rejects a time span that ends at %s',
	(endDate) => {
		const message = `(${start}) must be before End Date (${endDate})`;
		expect(() => checkTimeSpan({ startDate: start, endDate })).toThrow(
			new ItemRefusedError([{ parameter: 'Filters > Start Date', message }]),
		);
	},
);
