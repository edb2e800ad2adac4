import { isAbsent } from '../runtime/absent';
import { normalize } from '../runtime/normalize';
import { decode } from '../runtime/url';
import { absent, type Unusable, reader, unreadable, type Value } from './reading';
import { tidy } from './tidy';

/**
 * Where LinkedIn has its profiles, and its tools for sales and recruiters. A handle has letters, digits, `-`, `_`, `.`, emoji
 * and percent-encoded characters; what follows is a part of the page, or noise.
 */
const profiles =
	/(?<![\w./=%@:-])(?:(?:https?:)?\/{1,2})?(?:[\w-]{1,40}\.)?linkedin\.com\/+(?:(?:comm|m|mwlite(?:\/profile)?)\/+)?(in|pub(?!\/+dir\b)|sales\/(?:lead|people)|(?:talent|recruiter)\/profile)\/+@?((?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Presentation}._-]|%[\da-f]{2})+)((?:\/[^\s?#;,|<>()]*)?)/giu;

/** LinkedIn's own ID of a member, of which each letter counts. Its tool for sales has the same IDs as its profiles. */
const memberId = /^AC\wAA[\w-]*$/;

/** Pages of everyone, and what stands in examples. */
const nobody =
	/^(?:me|in|unavailable|edit|login|feed|search|(?:your|user)-?name|your-?profile|profile|handle|www|https?)$/;

/** Half of `o'brien` or `ada berg` would be another person. */
const goesOn =
	/^(?:[^\s\p{L}\p{N}?#&,;|()[\]<>"]+| (?!https?:|\w{0,3}\.?linkedin\.com))[\p{L}\p{N}]/u;

const expected = 'the URL of a LinkedIn profile such as "https://www.linkedin.com/in/nathan-smith"';

export const readLinkedIn = reader({
	name: 'URL of a LinkedIn profile',
	expected,
	find: (text) => {
		const url = /%(?:2f|3f)/i.test(text) ? tidy(decode(text)) : text;
		return [...url.matchAll(profiles)].map(
			({ 0: all, 1: kind = '', 2: handle = '', 3: rest = '', index }) => {
				const after = url.slice(index + all.length);
				if (rest === '' && goesOn.test(after)) return unreadable(expected, text);
				return readProfile(kind.toLowerCase(), handle, rest);
			},
		);
	},
});

function readProfile(kind: string, given: string, rest: string): Value | Unusable {
	const handle = normalize(decode(given), 'NFC').replace(
		/(?<![^\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Presentation}_-])[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Presentation}_-]+$/u,
		'',
	);
	const [, next = ''] = rest.split('/');
	const words = [handle, `${handle}/${next}`].map((text) => text.replace(/[-_.]+/g, ' ').trim());
	if (words[0] === '' || words.some((text) => isAbsent(text, 'name')) || nobody.test(handle))
		return absent(given + rest);
	if (/[\s\p{Cc}\ufffd]/u.test(handle)) return unreadable(expected, given);
	const name = memberId.test(handle) ? handle : handle.replace(/İ/g, 'i').toLowerCase();
	if (kind === 'in' || kind.startsWith('sales'))
		return { value: `https://www.linkedin.com/in/${encodeURIComponent(name)}`, identity: name };
	// The numbers behind an old public profile's name are part of it.
	const [numbers = ''] = /^(?:\/[\da-f]{1,3}){3}/i.exec(rest) ?? [];
	const path = kind === 'pub' ? `pub/${name}${numbers.toLowerCase()}` : `${kind}/${handle}`;
	return { value: `https://www.linkedin.com/${encodeURI(path)}`, identity: path };
}
