import { DateTime } from 'luxon';
import { removeInvisible } from '../runtime/normalize';
import { InvalidValueError, quote } from './checks';
import { describeValue, writeDate } from './convert';

/** RFC 3339 has four-digit years and offsets of less than 24 hours. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** A year outside of these is a typo, such as 0026, and a list from there on would be the whole history. */
const firstYear = 1970;
const lastYear = 2200;

/**
 * A date in RFC 3339, with seconds and `Z` or an offset, from any form that n8n and other programs have for a date and
 * that has one meaning: ISO 8601 or SQL text, a day with dots or the name of its month, a date as mail and HTTP have it, a
 * Luxon or JavaScript date, or seconds or milliseconds since 1970. A number means the same as its text.
 * @param zone the workflow's time zone, for values without a zone, such as those of n8n's date picker. n8n checks none.
 * @param edge the end of a period includes the whole day, if the value is a day
 */
export function readDate(value: unknown, zone: string, edge: 'start' | 'end' = 'start'): string {
	const written = typeof value === 'number' ? String(value) : (writeDate(value) ?? value);
	// A number that has gone through a spreadsheet or a data frame is a decimal: `1767225600000.0`.
	const text =
		typeof written === 'string' ? removeInvisible(written).replace(/^(\d+)\.0+$/, '$1') : '';
	const given = isTimestamp(text) ? fromTimestamp(text) : fromText(text, zone);
	const date = given && edge === 'end' ? toEnd(given, text, zone) : given;
	if (!date?.isValid) {
		if (!DateTime.local({ zone }).isValid)
			throw new InvalidValueError(
				`cannot be read, because there is no time zone ${quote(zone)}`,
				": choose one in the workflow's settings, or correct GENERIC_TIMEZONE",
			);
		throw new InvalidValueError(
			`must be a date such as "2026-01-31" or "2026-01-31T08:00:00+01:00", but is ${describeValue(value)}`,
		);
	}
	const sent = date.toISO({ suppressMilliseconds: true });
	const isMeant = date.year >= firstYear && date.year <= lastYear;
	if (!isMeant || !sent || !rfc3339.test(sent)) {
		throw new InvalidValueError(
			`must be a date between the years ${firstYear} and ${lastYear} with an offset of less than 24 hours, but is ${describeValue(value)}`,
		);
	}
	return sent;
}

/** The last moment of a year, month, week or day. n8n's date picker, and `$today`, give a day as its first moment. */
function toEnd(date: DateTime, text: string, zone: string): DateTime {
	if (/^\d{4}$/.test(text)) return date.endOf('year');
	if (/^\d{4}-\d\d$/.test(text)) return date.endOf('month');
	if (/^\d{4}-?W\d\d$/i.test(text)) return date.endOf('week');
	const local = date.setZone(zone);
	if (!local.isValid) return local;
	// Someone who writes 24:00 has the end of the day already.
	const isDay = +local === +local.startOf('day') && !/\d,?[T ]24/.test(text);
	return isDay ? local.endOf('day') : date;
}

/** A number that is neither a year nor a day, as ISO 8601 writes them without separators: 2026, 20260131. */
function isTimestamp(text: string): boolean {
	return /^-?\d+(\.\d+)?$/.test(text) && !/^\d{4}(\d{4})?$/.test(text);
}

/** Between these, seconds and milliseconds since 1970 are told apart by their size, and from all other numbers. */
const firstMs = Date.UTC(2000);
const endMs = Date.UTC(2100);

/** The same years in days since the beginning of 1900, which spreadsheets count from. */
const firstDay = 36_526;
const endDay = 73_051;

/** Others are a mistake: a month or a time without separators, an ID. */
function fromTimestamp(text: string): DateTime {
	const number = Number(text);
	for (const ms of [number, number * 1000])
		if (ms >= firstMs && ms < endMs) return DateTime.fromMillis(Math.round(ms), { zone: 'utc' });
	if (number >= firstDay && number < endDay) {
		throw new InvalidValueError(
			`must be a date such as "2026-01-31", but is ${describeValue(text)}, a day number of a spreadsheet`,
			": use {{ $json.date.toDateTime('excel').toUTC().toISODate() }}",
		);
	}
	throw new InvalidValueError(
		`must be a date such as "2026-01-31" or "20260131", or a number of seconds or milliseconds since 1970 that is between the years 2000 and 2099, but is ${describeValue(text)}`,
	);
}

function fromText(given: string, zone: string): DateTime | undefined {
	if (/^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}\b/.test(given)) {
		throw new InvalidValueError(
			`must be a date such as "2026-01-31", but is ${describeValue(given)}, which countries read in different ways`,
			": use {{ DateTime.fromFormat($json.date, 'M/d/yyyy') }}, or 'd/M/yyyy' if the day comes first",
		);
	}
	const text = toSql(given);
	// Luxon reads a time without a date as a time of today.
	if (!/^\d{4}/.test(text)) return fromWords(text, zone);
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone, setZone: true });
}

/** As people write months, and as mail and HTTP write dates. */
function fromWords(text: string, zone: string): DateTime | undefined {
	const forms = ['d LLL yyyy', 'd LLLL yyyy', 'LLL d, yyyy', 'LLLL d, yyyy'];
	const days = forms.map((form) => DateTime.fromFormat(text, form, { zone, locale: 'en' }));
	// Its other names of zones, such as CST, have several meanings.
	const isMail = / \d{4} /.test(text) && / (?:GMT|UTC?|Z|[+-]\d{4})$/.test(text);
	const mail = isMail ? [DateTime.fromRFC2822(text, { zone, setZone: true })] : [];
	return [...days, ...mail].find(({ isValid }) => isValid);
}

/** Who writes dots writes the day first. Spreadsheets leave zeros out. */
const dayFirst = /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?:,? (?<time>\d.*))?$/;
const yearFirst = /^(?<year>\d{4})[/.-](?<month>\d{1,2})[/.-](?<day>\d{1,2})(?: (?<time>\d.*))?$/;

/** `31.1.2026, 8:00` and `2026/1/31 8:00` as SQL text. Other texts stay as they are. */
function toSql(text: string): string {
	const {
		year,
		month = '',
		day = '',
		time = '',
	} = (dayFirst.exec(text) ?? yearFirst.exec(text))?.groups ?? {};
	if (year === undefined) return text;
	const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	return `${date} ${time.replace(/^\d:/, '0$&')}`.trim();
}
