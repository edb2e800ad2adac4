const firstDayMs = Date.UTC(2024, 0, 8, 8, 0, 0);
const minuteMs = 60_000;

/** The moment `minutes` after the first working day of the seeded year, as RFC 3339. */
export const momentAfter = (minutes: number): string =>
	new Date(firstDayMs + Math.round(minutes * minuteMs)).toISOString();

/** Records of one kind follow each other in this distance, so that their order is that of their dates. */
export const minutesBetweenRecords = 97;
