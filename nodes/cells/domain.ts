import { normalize } from '../runtime/normalize';
import { parseUrl } from '../runtime/url';
import { quote } from '../parameters/checks';
import { isValue, reader, type Reader, refuse } from './reading';

/** A domain, or the one of a URL or an email address, in the form that every service accepts. */
export const readDomain = reader({
	name: 'domain',
	expected: 'a domain such as "example.com"',
	find: (text) => {
		const words = text.split(/[\s<>()[\]{},;|"]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
		// Beside other words, only what is marked is one: `Dr.Smith Berg` has none.
		const isMarked = words.some((word) => /^(?:https?:|www\.)|.@./i.test(word));
		const hosts = words.map(readHost);
		if (!isMarked && hosts.includes(undefined)) return [];
		return hosts.flatMap((host) => (host === undefined ? [] : [{ value: host, identity: host }]));
	},
});

const readHost = (word: string): string | undefined =>
	toHost(
		trimEnd(
			word
				.replace(/^(?:[a-z][a-z\d+-]*:\/{0,3}|\/\/)/i, '')
				.replace(/[/?#].*/s, '')
				.replace(/^[^@]*@/, '')
				.replace(/:\d*$/, ''),
		).replace(/^www\.(?=.*\.)/i, ''),
	);

/** A host ends with a letter or a digit. */
export const trimEnd = (text: string): string =>
	text.replace(/(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/u, '');

/** Where people have a mailbox of their own. Their providers are companies, too, so this is a short list of the largest. */
const mailboxes = new Set(
	`gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com aol.com proton.me
	protonmail.com gmx.de gmx.net gmx.at gmx.ch web.de hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es
	outlook.de outlook.fr outlook.es yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.co.in yahoo.com.br laposte.net libero.it
	bol.com.br uol.com.br mail.ru yandex.ru qq.com`.split(/\s+/),
);

export const isMailbox = (host: string): boolean => mailboxes.has(host);

/** Where a path is the page of somebody. Without one, the site belongs to its own company. */
const profiles =
	/(?<![\w.-]|[^/]\/)(?:[\w-]+\.)*(?:facebook|fb|instagram|linkedin|twitter|x|youtube|tiktok|pinterest|medium|crunchbase|xing|linktr|threads|(?:docs|sites|maps)\.google)\.(?:com|net|ee)\/+[\w@]/i;

/** The domain of a company: a mailbox or a page at another one's would become one account for all who have one there. */
export const readCompanyDomain: Reader = (cell) => {
	const reading = readDomain(cell);
	if (!isValue(reading)) return reading;
	const what = isMailbox(reading.value) ? 'mailbox' : profiles.test(cell) ? 'page' : undefined;
	if (what === undefined) return reading;
	const problem = `is ${quote(cell)}, where everyone can have a ${what}. Enter the company's own domain`;
	return refuse('ofEveryone', problem);
};

/** A domain has at most so many characters, as it is sent. */
const longest = 253;

/** What scrapers take for a domain: `logo@2x.png`, `index.html`. None of these is an ending of the internet. */
const fileEndings = /\.(?:png|jpe?g|gif|webp|svg|pdf|html?|php|docx?|xlsx?|csv|css|js|json|xml)$/;

/** @returns undefined for what is not a domain, so that no account gets the name of a scheme or a sentence */
export function toHost(text: string): string | undefined {
	const name = normalize(text, 'NFC').replace(/İ/g, 'i').toLowerCase();
	const host = /[^\0-\x7f]/.test(name) ? parseUrl(`https://${name}`)?.hostname : name;
	const labels = host?.split('.') ?? [];
	const isDomain =
		labels.length > 1 &&
		!fileEndings.test(name) &&
		/^[\p{L}\p{M}\p{N}\p{Emoji}\p{Cf}._-]+$/u.test(name) &&
		labels.every((label) => /^[\w-]{1,63}$/.test(label)) &&
		// Otherwise, it is a number or an abbreviation.
		/^(?:xn--[\w-]+|[a-z]{2,})$/.test(labels.at(-1) ?? '');
	return isDomain && host !== undefined && host.length <= longest ? host : undefined;
}
