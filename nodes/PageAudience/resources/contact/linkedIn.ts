import { quote } from '../../../parameters/checks';
import { normalize } from '../../../runtime/normalize';
import { decode } from '../../../runtime/url';
import { isPlaceholder } from './placeholder';
import { findSeparator, placeholder, reader, several } from './reading';

/** Where LinkedIn has its profiles, and its tools for sales and recruiters. What follows the handle is a part of the page. */
const profile =
	/^(?:https?:\/\/)?(?:[\w-]+\.)*linkedin\.com\/+(?:(?:comm|m|mwlite(?:\/profile)?)\/+)?(in|pub|sales\/(?:lead|people)|(?:talent|recruiter)\/profile)\/+([^/?#:@\s"{}[\]<>]+)(?:\/([^?#]*))?(?:[?#].*)?$/is;

/** LinkedIn's own ID of a member, of which each letter counts. Its tool for sales has the same IDs as its profiles. */
const memberId = /^AC\wAA[\w-]*$/;

export const readLinkedIn = reader((cell) => {
	const separator = findSeparator(cell, 'linkedin.com');
	if (separator !== undefined) return several('URL of a LinkedIn profile', cell, separator);
	const [, kind = '', handle = '', rest = ''] =
		profile.exec(/\s/.test(cell) ? '' : decode(cell)) ?? [];
	if (handle === '') {
		return {
			problem: `must be the URL of a LinkedIn profile such as "https://www.linkedin.com/in/nathan-smith", but is ${quote(cell)}`,
		};
	}
	// What a template makes of a missing handle.
	if (isPlaceholder(handle)) return placeholder(cell);
	return { value: cell, identity: identify(kind.toLowerCase(), handle, rest) };
});

function identify(kind: string, handle: string, rest: string): string {
	// Behind the ID, Sales Navigator has how the lead was found.
	const [id = ''] = normalize(handle, 'NFC').split(',');
	const name = memberId.test(id) ? id : id.toLowerCase();
	if (kind === 'pub') return `pub/${name}/${rest.toLowerCase().replace(/(?<!\/)\/+$/, '')}`;
	return kind === 'in' || kind.startsWith('sales') ? name : `${kind}/${id}`;
}
