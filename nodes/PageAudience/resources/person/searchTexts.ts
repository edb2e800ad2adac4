import { parseUrl } from '../../../api/parseUrl';
import { normalize, trimInvisible } from '../../../runtime/normalize';
import { type IdentityField, readProfileId, toCanonical } from '../identity';

/** The values whose spellings differ in nothing but the case and what surrounds them. A search may cut longer ones. */
const plain: Partial<Record<IdentityField, RegExp>> = {
	// Beyond ASCII, a letter can be stored composed or not.
	email: /^[!-~]{1,100}$/,
	// What percent-encoding leaves alone.
	linkedinProfileUrl: /^[\w.~-]{1,100}$/,
	// A phone number is stored with any separators, so there is none.
};

/**
 * What every spelling of a value contains, apart from the case.
 * @returns undefined for a value of which that cannot be said
 */
export function readPlainText(field: IdentityField, value: string): string | undefined {
	const [text] = listTexts(field, value);
	return text !== undefined && plain[field]?.test(text) ? text : undefined;
}

/** What to search for, as the value may be stored. The first is all that a plain value needs. */
export function listTexts(field: IdentityField, value: string): string[] {
	const texts = writings[field](toCanonical(field, value), trimInvisible(value));
	return [...new Set(texts)].filter((text) => text !== '');
}

const writings: Record<IdentityField, (canonical: string, given: string) => string[]> = {
	email: (canonical, given) => [canonical, given, normalize(canonical, 'NFD')],
	linkedinProfileUrl: (canonical, given) => {
		const asBrowsersWrite = parseUrl(`https://${canonical}`)?.href ?? '';
		return [canonical, given, asBrowsersWrite, normalize(canonical, 'NFD')].map(readHandle);
	},
	phoneNumber: (canonical, given) => [given, canonical.replace(/;.*/s, '').replace(/^\+/, '')],
};

function readHandle(url: string): string {
	return (
		readProfileId(url) ??
		url
			.replace(/[?#].*/s, '')
			.split('/')
			.filter(Boolean)
			.at(-1) ??
		''
	);
}
