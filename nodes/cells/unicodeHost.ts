import { decode } from 'punycode.js';
import { parseUrl } from '../runtime/url';

/** A domain or email address as people write it: `münchen.example` for `xn--mnchen-3ya.example`. */
export function writeUnicode(address: string): string {
	return address.replace(/(?<=^|[.@])xn--([a-z\d-]{1,59})/g, (label: string, encoded: string) => {
		const decoded = tryToDecode(encoded);
		// A service that stores other letters can only have stored those that make the same domain.
		return parseUrl(`https://${decoded}`)?.hostname === label ? decoded : label;
	});
}

/** @returns a text that makes another domain if it cannot be decoded */
function tryToDecode(encoded: string): string {
	try {
		return decode(encoded);
	} catch {
		return '';
	}
}
