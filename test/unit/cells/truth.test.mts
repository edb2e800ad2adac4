import { listMistakes, liveName, liveText, liveUrl } from '../../../nodes/cells/livePage.ts';
import { namingText } from '../../../nodes/parameters/checks.ts';
import { readDate } from '../../../nodes/parameters/dates.ts';
import { syncText } from '../../../nodes/PageAudience/resources/personLog.ts';
import { readLines, readTruth, type TrueValue } from '../../truth/truth.mts';
import { type Outcome, readBy, readCell } from './readers.mts';

/*
 * Honest values go out as they are, and are told apart. What does not, or gives a hint, stands in exceptions.tsv with its
 * reason. That file has to be equal to what is found, so that one which is cured is struck off.
 */

const readLive = (check: (value: string) => string, value: string): Outcome =>
	listMistakes({ value }).length > 0 ? { sent: 'hint' } : readBy(check, value);

const read: Record<string, (value: string) => Outcome> = {
	// One moment has many spellings.
	dates: (value) => ({ sent: readBy((text) => readDate(text, 'Europe/Berlin'), value).sent }),
	domains: (value) => readCell('company', value),
	emails: (value) => readCell('email', value),
	linkedin: (value) => readCell('profile', value),
	names: (value) => readCell('name', value),
	paths: (value) => readLive(liveName, value),
	phones: (value) => readCell('phone', value),
	queries: (value) => readBy(namingText, value),
	records: (value) => readBy(syncText, value),
	texts: (value) => readLive(liveText, value),
	urls: (value) => readLive(liveUrl, value),
};

const exceptions = readLines('exceptions.tsv');

const listExceptions = (name: string, values: TrueValue[]): string[][] =>
	values.flatMap(({ value, sent }) => {
		const outcome = read[name](value);
		// A text of a page has its blanks.
		return outcome.sent === sent || (name === 'texts' && outcome.sent === value)
			? []
			: [[name, value, outcome.sent]];
	});

describe.each(Object.keys(read))('%s that people have', (name) => {
	const values = readTruth(name);

	test('go out as they are, but for the exceptions', () => {
		const argued = exceptions.filter(([file]) => file === name).map((each) => each.slice(0, 3));
		expect(listExceptions(name, values)).toEqual(argued);
	});

	test('are told apart', () => {
		const sentOf = new Map<string, string>();
		const merged = values.flatMap(({ value, sent }) => {
			const { identity } = read[name](value);
			if (identity === undefined) return [];
			// What stands between its digits tells no number from another.
			const meant = name === 'phones' ? sent.replace(/[^\d+ext=;]/g, '') : sent;
			const other = sentOf.get(identity) ?? meant;
			sentOf.set(identity, other);
			return other === meant ? [] : [[value, other]];
		});
		expect(merged).toEqual([]);
	});
});

test('each ending of the internet is one of a domain and of an address', () => {
	const values = readTruth('tlds').flatMap(({ value, sent }) => {
		const host = `acme.${sent}`;
		return [
			{ value: `acme.${value}`, sent: host, name: 'domains' },
			{ value: `info@acme.${value}`, sent: `info@${host}`, name: 'emails' },
		];
	});
	expect(values.flatMap((each) => listExceptions(each.name, [each]))).toEqual([]);
});

test('an exception has its reason', () => {
	expect(exceptions.filter(([, , , reason = '']) => reason.length < 10)).toEqual([]);
});
