const yearFirst = /^\d{4}[-/. ]/;
const month = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b/i;
const american = /^\d{1,2}\/\d{1,2}\/\d{4}\D/;

/** `05/12/2026` may be in May or in December, and Date.parse takes even `12` for a date. */
function namesDay(text: string): boolean {
	if (yearFirst.test(text) || (american.test(text) && /[ap]m\b/i.test(text))) return true;
	return month.test(text) && /\d{4}/.test(text);
}

/**
 * A point in time that the service names, in milliseconds; undefined for what is none. The format is not documented: one
 * without a zone is in UTC, not in the zone of the machine that n8n runs on.
 */
export function readTimestamp(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	return namesDay(text) ? parse(text) : undefined;
}

function parse(text: string): number | undefined {
	// An offset after the time, or a name: Z, UTC, GMT or one such as EST. AM and PM are none, and need a space before one.
	const hasZone = /:[^:]*[+-]|[zct]$/i.test(text);
	const time = Date.parse(hasZone ? text : `${text.replace(/m$/i, '$& ')}Z`);
	return Number.isNaN(time) ? undefined : time;
}
