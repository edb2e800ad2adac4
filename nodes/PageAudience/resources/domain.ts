import { parseUrl } from '../../api/parseUrl';
import { type Check, InvalidValueError, quote } from '../../parameters/checks';
import { normalize, trimInvisible } from '../../runtime/normalize';

/**
 * The host of a domain that was pasted as a URL or an email address, in lower case and without `www.`. Another text is
 * returned without spaces around it and in lower case.
 */
export function toDomain(given: string): string {
	return normalize(given, 'NFKC')
		.replace(/\p{Cf}/gu, '')
		.replace(/。/g, '.')
		.trim()
		.toLowerCase()
		.replace(/^<|>$/g, '')
		.replace(/^(?:[a-z][a-z\d+-]*:\/|\/\/)\/*/, '')
		.replace(/^mailto:/, '')
		.replace(/[/?#].*/s, '')
		.replace(/^.*@/, '')
		.replace(/:\d*$/, '')
		.replace(/(?<!\.)\.+$/, '')
		.replace(/^www\.(?=.*\.)/, '');
}

/** What is the same for two spellings of one domain: with letters beyond ASCII as in an address that is sent. */
export function toCanonicalDomain(given: string): string {
	const domain = toDomain(given);
	return parseUrl(`https://${domain}`)?.hostname ?? domain;
}

/** The host that is sent for a domain. One with letters beyond ASCII has the form that every service accepts. */
export function toSentDomain(given: string): string {
	const domain = toDomain(given);
	return /[^\0-\x7f]/.test(domain) ? toCanonicalDomain(domain) : domain;
}

/** A domain has at most so many characters, as it is sent. */
const longestDomain = 253;

/** Refuses what has no domain, so that nobody's account gets the name of a scheme or a sentence. */
export const domainText: Check = (given) => {
	const value = trimInvisible(given);
	if (value === '' || isDomain(toSentDomain(value))) return value;
	throw new InvalidValueError(`must be a domain such as "example.com", but is ${quote(value)}`);
};

/** Refuses what cannot be a domain, where it is sent unchanged and cannot be deleted. */
export const exactDomain: Check = (given) => {
	const value = domainText(given);
	if (/\s/.test(value) || value.length > longestDomain)
		throw new InvalidValueError(`must be a domain such as "example.com", but is ${quote(value)}`);
	return value;
};

function isDomain(text: string): boolean {
	const labels = text.split('.');
	return (
		labels.length > 1 &&
		text.length <= longestDomain &&
		labels.every((label) => /^[\w-]{1,63}$/.test(label))
	);
}
