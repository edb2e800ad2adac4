const firstDayMs = Date.UTC(2024, 0, 8, 8, 0, 0);

// Each reset writes the same few thousand dates, and tests reset before each test.
const written = new Map<number, string>();

/** The time `minutes` after the seed's first working day. */
export function momentAfter(minutes: number): string {
	const known = written.get(minutes);
	if (known !== undefined) return known;
	const moment = new Date(firstDayMs + Math.round(minutes * 60_000)).toISOString();
	written.set(minutes, moment);
	return moment;
}

/** The time between two records of a kind, so that their order is the order of their dates. */
export const minutesBetweenRecords = 97;
