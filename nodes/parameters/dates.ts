import { DateTime } from 'luxon';
import { removeInvisible } from '../runtime/normalize';
import { InvalidValueError, quote } from './checks';
import { describeValue, writeDate } from './convert';

/** A year outside of these is a typo, such as 0026, and a list from there on would be the whole history. */
const [firstYear, lastYear] = [1970, 2200];

/**
 * A date in RFC 3339, with seconds and `Z` or an offset, from what has one meaning: ISO 8601, also with a blank in place of
 * its T, a day with dots, a Luxon or JavaScript date, or seconds or milliseconds since 1970.
 * @param zone the workflow's time zone, for values without a zone, such as those of n8n's date picker. n8n checks none.
 * @param edge the end of a period includes the whole day, if the value is a day
 */
export function readDate(value: unknown, zone: string, edge: 'start' | 'end' = 'start'): string {
	const written = writeDate(value) ?? value;
	const isText = typeof written === 'string' || typeof written === 'number';
	const text = isText ? removeInvisible(String(written)) : '';
	const given = fromTimestamp(text) ?? fromText(text, zone);
	const date = edge === 'end' ? toEnd(given, text, zone) : given;
	const sent = date.toISO({ suppressMilliseconds: true });
	// An offset of 24 hours or more, which RFC 3339 does not have, gives no date in its own zone.
	if (sent && Math.abs(date.offset) < 24 * 60 && date.year >= firstYear && date.year <= lastYear)
		return sent;
	if (!DateTime.local({ zone }).isValid)
		throw new InvalidValueError(
			`cannot be read, because there is no time zone ${quote(zone)}`,
			": choose one in the workflow's settings, or correct GENERIC_TIMEZONE",
		);
	const [, why = '', remedy] = ambiguous.find(([pattern]) => pattern.test(text)) ?? [];
	throw new InvalidValueError(
		`must be a date between ${firstYear} and ${lastYear} such as "2026-01-31" or "2026-01-31T08:00:00+01:00", but is ${describeValue(value)}${why}`,
		remedy,
	);
}

/** What has several meanings, and the expression that makes a date of it. */
const ambiguous: Array<[pattern: RegExp, why: string, remedy: string]> = [
	[
		/^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}\b/,
		', which countries read in different ways',
		": use {{ DateTime.fromFormat($json.date, 'M/d/yyyy') }}, or 'd/M/yyyy' if the day comes first",
	],
	[
		/^\d{5}(\.\d+)?$/,
		', a day number of a spreadsheet',
		": use {{ $json.date.toDateTime('excel').toUTC().toISODate() }}",
	],
];

/** The last moment of a year, month or day. n8n's date picker, and `$today`, give a day as its first moment. */
function toEnd(date: DateTime, text: string, zone: string): DateTime {
	if (/^\d{4}$/.test(text)) return date.endOf('year');
	if (/^\d{4}-\d\d$/.test(text)) return date.endOf('month');
	const local = date.setZone(zone);
	if (!local.isValid) return local;
	// Someone who writes 24:00 has the end of the day already.
	const isDay = +local === +local.startOf('day') && !/\d[T ]24/.test(text);
	return isDay ? local.endOf('day') : date;
}

/** Between these, seconds and milliseconds since 1970 are told apart by their size, and from all other numbers. */
const [firstMs, endMs] = [Date.UTC(2000), Date.UTC(2100)];

/** A number that is neither a year nor a day, as ISO 8601 writes them without separators: 2026, 20260131. */
function fromTimestamp(text: string): DateTime | undefined {
	// One that has gone through a spreadsheet or a data frame is a decimal.
	if (!/^-?\d+(\.\d+)?$/.test(text) || /^\d{4}(\d{4})?$/.test(text)) return undefined;
	const ms = [Number(text), Number(text) * 1000].find((each) => each >= firstMs && each < endMs);
	return DateTime.fromMillis(Math.round(ms ?? NaN), { zone: 'utc' });
}

/** Spreadsheets leave zeros out. Who writes dots, and not the year first, writes the day first. */
const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ](\d.*))?$/;
const dayFirst = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? (\d.*))?$/;

function fromText(given: string, zone: string): DateTime {
	const text = given
		.replace(dayFirst, (_, day, month, year, time) => join(year, month, day, time))
		.replace(yearFirst, (_, year, _separator, month, day, time) => join(year, month, day, time));
	// Luxon reads a time without a date as a time of today. A week is a day to it, which would end a period too early.
	if (!/^\d{4}(?!-?W)/i.test(text)) return DateTime.invalid('no date');
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text.replace('T', ' '), { zone, setZone: true });
}

function join(year: string, month: string, day: string, time?: string): string {
	const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	return time === undefined ? date : `${date}T${time.replace(/^\d:/, '0$&')}`;
}
