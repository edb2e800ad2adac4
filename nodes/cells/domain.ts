import { parseUrl } from '../runtime/url';
import { quote } from '../parameters/checks';
import { normalize } from '../runtime/normalize';
import { describeMix, dottedCapital, mixesAlphabets, reader, type Reader } from './reading';
import { isEnding, isMailProvider, isSiteOfMany } from './sites';

/** The domain of a URL or an email address, too, in the form that every service accepts. */
export const readDomain = reader({
	name: 'domain',
	find: (text) => {
		if (mixesAlphabets(text)) return [describeMix(text)];
		// What no address can hold.
		const words = listParts(text, /[\s<>,;"'|`´″\p{Ps}\p{Pe}\p{Pi}\p{Pf}\\]+/u);
		const isOnly = new Set(words.map(readHost)).size === 1;
		// Beside other words, only a text that is marked or stands for itself is a domain: `Dr.Smith Berg` is not.
		const isMarked = words.some((word) => /^(?:https?:|www\.)|.@./i.test(word));
		const parts = listParts(text, /[<>,;|\p{Ps}\p{Pe}\n]|: | - /u);
		const isAlone = parts.some((part) => !/\s/.test(part) && readHost(part) !== undefined);
		const hosts = isOnly || isMarked || isAlone ? words.map(readHost) : [];
		return hosts.flatMap((host) => (host === undefined ? [] : [{ value: host, identity: host }]));
	},
	explain: (text) => `must be a domain such as "example.com", but is ${quote(text)}`,
});

const listParts = (text: string, between: RegExp): string[] =>
	text
		.split(between)
		.map((part) => part.trim())
		.filter((part) => /[\p{L}\p{N}]/u.test(part));

function readHost(text: string): string | undefined {
	return toHost(
		text
			.replace(/^(?:[a-z][a-z\d+-]*[:;]\/{0,3}|[a-z]{0,5}\/\/){1,3}/i, '')
			.replace(/^[^\p{L}\p{N}_@]+/u, '')
			.replace(/[/?#&].*/s, '')
			.replace(/^[^@\s]*@/, '')
			.replace(/:\d*$/, '')
			.replace(/(?<![^\p{L}\p{N}_])[^\p{L}\p{N}_]+$/u, '')
			.replace(/^www\.(?=.*\.)/i, ''),
	);
}

/** What everyone can have at such a domain. */
const shared = [
	[isMailProvider, 'mailbox'],
	[isSiteOfMany, 'page'],
	[isEnding, 'domain'],
] as const;

/** The domain of a company: a site that everyone can use would become one account for all of its users. */
export const readCompanyDomain: Reader = (cell) => {
	const reading = readDomain(cell);
	if (!reading || 'problem' in reading) return reading;
	const { value } = reading;
	const [, what] = shared.find(([isShared]) => isShared(value)) ?? [];
	return what === undefined
		? reading
		: {
				problem: `is ${quote(value)}, where everyone can have a ${what}. Enter the company's own domain`,
			};
};

/** A domain has at most so many characters, as it is sent. */
const longestDomain = 253;

/** Letters of all scripts, and emoji. Browsers take signs, too, which come from misread letters. */
const nameLetters = /^[\p{L}\p{M}\p{N}\p{Emoji}\p{Cf}._-]*$/u;

/** What scrapers take for a domain: `logo@2x.png`, `index.html`. None of these is one of the internet. */
const fileEndings =
	/\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|ico|avif|heic|pdf|html?|php|aspx?|docx?|xlsx?|csv|css|js|json|xml)$/;

/** @returns undefined for what is not a domain, so that no account gets the name of a scheme or a sentence */
export function toHost(text: string): string | undefined {
	if (dottedCapital.test(normalize(text, 'NFC'))) return undefined;
	const name = normalize(text, 'NFKC')
		.toLowerCase()
		.replace(/(?<!\.)\.+$/, '');
	const host = /[^\0-\x7f]/.test(name) ? parseUrl(`https://${name}`)?.hostname : name;
	const labels = host?.split('.') ?? [];
	const isDomain =
		labels.length > 1 &&
		!fileEndings.test(name) &&
		nameLetters.test(name) &&
		labels.every((label) => /^[\w-]{1,63}$/.test(label)) &&
		// Otherwise, it is a number or an abbreviation.
		/[a-z]./.test(labels.at(-1) ?? '');
	return isDomain && host !== undefined && host.length <= longestDomain ? host : undefined;
}
