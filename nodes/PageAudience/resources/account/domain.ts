import { toUnicode } from 'punycode/';
import { parseUrl } from '../../../api/parseUrl';
import { normalize } from '../../../runtime/normalize';

/**
 * The host of a domain that was pasted as a URL or an email address, in lower case and without `www.`. Another text is
 * returned trimmed and in lower case.
 */
export function toDomain(given: string): string {
	return given
		.trim()
		.toLowerCase()
		.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\//, '')
		.replace(/^mailto:/, '')
		.replace(/[/?#].*$/s, '')
		.replace(/^.*@/, '')
		.replace(/:\d*$/, '')
		.replace(/(?<!\.)\.+$/, '')
		.replace(/^www\.(?=.*\.)/, '');
}

/** What is the same for two spellings of one domain: with letters beyond ASCII as in an address that is sent. */
export function toCanonicalDomain(given: string): string {
	const domain = toDomain(normalize(given, 'NFC'));
	return parseUrl(`https://${domain}`)?.hostname ?? domain;
}

/**
 * The host that is sent for a domain. One with letters beyond ASCII has the form that every service accepts, unless it is
 * too long for a host.
 */
export function toSentDomain(given: string): string {
	const domain = toDomain(normalize(given, 'NFC'));
	if (!/[^\0-\x7f]/.test(domain)) return domain;
	const ascii = toCanonicalDomain(domain);
	return ascii.split('.').some((label) => label.length > longestLabel) ? domain : ascii;
}

/** A label of a domain has at most so many characters. */
const longestLabel = 63;

/** A domain with its `xn--` labels in letters: URL only encodes them. One that is not valid is returned as it is. */
function decodeDomain(domain: string): string {
	try {
		const decoded = toUnicode(domain);
		return parseUrl(`https://${decoded}`)?.hostname === domain ? decoded : domain;
	} catch {
		return domain;
	}
}

/** What a service may have stored for a domain: the form that is sent, and the one with letters beyond ASCII. */
export function listStoredForms(given: string): string[] {
	const sent = toSentDomain(given);
	return [...new Set([sent, decodeDomain(sent)])];
}
