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
