import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	mostWindows,
	splitTimeSpan,
	type WindowUnit,
} from '../../../nodes/PageAudience/resources/pageAnalytics.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { generated } from '../../generated.mts';

const split = (startDate: string, endDate: string, unit: WindowUnit, zone = 'Europe/Berlin') =>
	splitTimeSpan({ startDate, endDate }, unit, zone).map(
		({ windowStart, windowEnd }) => `${windowStart} ${windowEnd}`,
	);

test('writes whole seconds without milliseconds, in the zone of the workflow', () => {
	expect(split('2026-01-01T23:30:00+05:30', '2026-01-01T19:00:00Z', 'day', 'UTC')).toEqual([
		'2026-01-01T18:00:00Z 2026-01-01T19:00:00Z',
	]);
});

test('makes no window of the first moment of a month alone', () => {
	expect(split('2026-01-01T00:00:00+01:00', '2026-03-01T00:00:00+01:00', 'month')).toEqual([
		'2026-01-01T00:00:00+01:00 2026-01-31T23:59:59.999+01:00',
		'2026-02-01T00:00:00+01:00 2026-03-01T00:00:00+01:00',
	]);
});

/** Some skip or repeat midnight when the clock changes. */
const zones = [
	...['UTC', 'Europe/Berlin', 'America/New_York', 'America/Sao_Paulo', 'America/Havana'],
	...['America/Asuncion', 'Africa/Cairo', 'Asia/Beirut', 'Asia/Kathmandu'],
	...['Australia/Lord_Howe', 'Pacific/Chatham'],
];
const spans = fc.record({
	zone: fc.constantFrom(...zones),
	unit: fc.constantFrom<WindowUnit>('day', 'week', 'month'),
	start: fc.integer({ min: Date.UTC(1985, 0), max: Date.UTC(2045, 0) }),
	days: fc.double({ min: 0.01, max: 390, noNaN: true }),
});

test('covers every period without a gap, in calendar units of the zone', () => {
	fc.assert(
		fc.property(spans, ({ zone, unit, start, days }) => {
			const end = start + Math.round(days * 86_400_000);
			const [startDate, endDate] = [start, end].map((ms) => new Date(ms).toISOString());
			const texts = splitTimeSpan({ startDate, endDate }, unit, zone).map(
				({ windowStart, windowEnd }) => [windowStart, windowEnd],
			);
			const windows = texts.map((each) => each.map((text) => Date.parse(text)));
			expect([windows[0][0], windows.at(-1)?.[1]]).toEqual([start, end]);
			// What is inside of a window has one calendar unit, and what is before it another one.
			const format = { week: 'kkkk-WW', day: 'yyyy-MM-dd', month: 'yyyy-MM' }[unit];
			const unitOf = (ms: number) => DateTime.fromMillis(ms, { zone }).toFormat(format);
			const broken = windows.filter(([from, to], index) => {
				// The first moment of the next unit is the end of the period, and no window of its own.
				const last = to === end && to > from ? to - 1 : to;
				const isFirst = index === 0;
				const isConnected =
					isFirst || (from === windows[index - 1][1] + 1 && unitOf(from - 1) !== unitOf(from));
				return !isConnected || unitOf(last) !== unitOf(from) || (isFirst ? to < from : to <= from);
			});
			expect(broken).toEqual([]);
			const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?(Z|[+-]\d\d:\d\d)$/;
			expect(texts.flat().filter((text) => !form.test(text))).toEqual([]);
		}),
		generated(400),
	);
});

test('refuses more windows than there may be requests', () => {
	const last = DateTime.fromISO('2026-01-01T00:00:00Z').plus({ days: mostWindows }).toISO() ?? '';
	const year = (endDate: string, unit: WindowUnit = 'day') =>
		splitTimeSpan({ startDate: '2026-01-01T00:00:00Z', endDate }, unit, 'UTC');
	expect(year(last)).toHaveLength(mostWindows);
	const after = DateTime.fromISO(last).plus({ days: 1 }).toISO() ?? '';
	expect(() => year(after)).toThrow(ItemRefusedError);
	// Where counting all of them would take a while.
	expect(() => year('9999-12-31T23:59:59Z')).toThrow(
		'Split By divides the period into more than 400 days. Choose a shorter period or a larger unit',
	);
	expect(year(after, 'month')).toHaveLength(14);
});
