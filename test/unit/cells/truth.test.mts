import { readCompanyDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readLinkedIn } from '../../../nodes/cells/linkedIn.ts';
import { listMistakes, liveName, liveText, liveUrl } from '../../../nodes/cells/livePage.ts';
import { readName } from '../../../nodes/cells/name.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import { isValue, type Reader } from '../../../nodes/cells/reading.ts';
import { type Check, namingText } from '../../../nodes/parameters/checks.ts';
import { readDate } from '../../../nodes/parameters/dates.ts';
import { syncText } from '../../../nodes/PageAudience/resources/personLog.ts';
import { readLines, readTruth, type TrueValue } from '../../truth/truth.mts';

/*
 * Honest values go out as they are, and are told apart. What does not, or gives a hint, stands in exceptions.tsv with its
 * reason. That file has to be equal to what is found, so that one which is cured is struck off.
 */

interface Outcome {
	/** What is sent, or why nothing is. */
	sent: string;
	/** What all spellings of one value share. */
	identity?: string;
}

const ofReader =
	(read: Reader) =>
	(value: string): Outcome => {
		const reading = read(value);
		if (isValue(reading)) return { sent: reading.value, identity: reading.identity };
		return { sent: reading?.refusal ?? 'blank' };
	};

const ofCheck =
	(check: Check | ((value: string) => string)) =>
	(value: string): Outcome => {
		try {
			const sent = check(value);
			return { sent, identity: sent };
		} catch (error) {
			return { sent: (error as { refusal?: string }).refusal ?? String(error) };
		}
	};

const ofLive = (check: Check) => (value: string) => {
	const outcome = ofCheck(check)(value);
	return listMistakes({ value }).length > 0 ? { sent: 'hint' } : outcome;
};

const read: Record<string, (value: string) => Outcome> = {
	dates: (value) => ({ sent: ofCheck((text) => readDate(text, 'Europe/Berlin'))(value).sent }),
	domains: ofReader(readCompanyDomain),
	emails: ofReader(readEmail),
	linkedin: ofReader(readLinkedIn),
	names: ofReader(readName),
	paths: ofLive(liveName),
	phones: ofReader(readPhone),
	queries: ofCheck(namingText),
	records: ofCheck(syncText),
	texts: ofLive(liveText),
	urls: ofLive(liveUrl),
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
