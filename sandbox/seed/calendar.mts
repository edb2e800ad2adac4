const firstDayMs = Date.UTC(2024, 0, 8, 8, 0, 0);

/** The time `minutes` after the seed's first working day. */
export const momentAfter = (minutes: number): string =>
	new Date(firstDayMs + Math.round(minutes * 60_000)).toISOString();

/** The time between two records of a kind, so that their order is the order of their dates. */
export const minutesBetweenRecords = 97;
