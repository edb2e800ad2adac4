import { parseUrl } from '../runtime/url';
import { quote } from '../parameters/checks';
import { normalize } from '../runtime/normalize';
import { describeMix, mixesAlphabets, reader, type Reader } from './reading';
import { isMailProvider, isSiteOfMany } from './sites';

/** The domain of a URL or an email address, too, in the form that every service accepts. */
export const readDomain = reader({
	name: 'domain',
	find: (text) => {
		// What no address can hold.
		const words = text
			.split(/[\s<>,;"'|`´″\p{Ps}\p{Pe}\p{Pi}\p{Pf}\\]+/u)
			.filter((word) => /[\p{L}\p{N}]/u.test(word));
		// Beside other words, only a text that is marked as an address is a domain: `Dr.Smith` is not.
		const isOnly = words.every((word) => readHost(word) === readHost(words[0] ?? ''));
		const hosts = isOnly || words.some(isMarked) ? words.map(readHost) : [];
		if (mixesAlphabets(text)) return [describeMix(text)];
		return hosts.flatMap((host) => (host === undefined ? [] : [{ value: host, identity: host }]));
	},
	explain: (text) => `must be a domain such as "example.com", but is ${quote(text)}`,
});

const isMarked = (word: string): boolean => /^(?:https?:|www\.)|.@./i.test(word);

function readHost(text: string): string | undefined {
	return toHost(
		text
			.replace(/^(?:[a-z][a-z\d+-]*:\/|\/\/)\/*/i, '')
			.replace(/^mailto:/i, '')
			.replace(/^[^\p{L}\p{N}_@]+/u, '')
			.replace(/[/?#&].*/s, '')
			.replace(/^[^@\s]*@/, '')
			.replace(/:\d*$/, '')
			.replace(/(?<![^\p{L}\p{N}_])[^\p{L}\p{N}_]+$/u, '')
			.replace(/^www\.(?=.*\.)/i, ''),
	);
}

/** The domain of a company: a site that everyone can use would become one account for all of its users. */
export const readCompanyDomain: Reader = (cell) => {
	const reading = readDomain(cell);
	if (!reading || 'problem' in reading) return reading;
	const { value } = reading;
	const what = isMailProvider(value) ? 'mailbox' : isSiteOfMany(value) ? 'page' : undefined;
	return what === undefined
		? reading
		: {
				problem: `is ${quote(value)}, where everyone can have a ${what}. Enter the company's own domain`,
			};
};

/** A domain has at most so many characters, as it is sent. */
const longestDomain = 253;

/** @returns undefined for what is not a domain, so that no account gets the name of a scheme or a sentence */
export function toHost(text: string): string | undefined {
	const name = normalize(text, 'NFKC')
		.toLowerCase()
		.replace(/(?<!\.)\.+$/, '');
	const host = /[^\0-\x7f]/.test(name) ? parseUrl(`https://${name}`)?.hostname : name;
	const labels = host?.split('.') ?? [];
	const isDomain =
		labels.length > 1 &&
		labels.every((label) => /^[\w-]{1,63}$/.test(label)) &&
		// Otherwise, it is a number or an abbreviation.
		/[a-z]./.test(labels.at(-1) ?? '');
	return isDomain && host !== undefined && host.length <= longestDomain ? host : undefined;
}
