import { decode } from '../runtime/url';
import { quote } from '../parameters/checks';
import { normalize } from '../runtime/normalize';
import { isNothing } from './nothing';
import {
	describeMix,
	dottedCapital,
	type Found,
	mixesAlphabets,
	placeholder,
	reader,
} from './reading';

/**
 * Where LinkedIn has its profiles, and its tools for sales and recruiters. A handle has letters, digits, `-`, `_`, `.` and
 * percent-encoded characters, and emoji; what follows is a part of the page, or noise.
 */
const profiles =
	/(?<![\w./=%@:-])(?:(?:[a-z]{2,10}:)?\/{1,2}){0,2}(?:[\w-]{1,40}\.){0,3}linkedin\.com\/+(?:(?:comm|m|mwlite(?:\/profile)?|in(?=\/in\/))\/+)?(in|pub(?!\/+dir\b)|sales\/(?:lead|people)|(?:talent|recruiter)\/profile)\/+@?((?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}._-]|%[\da-f]{2})+)((?:\/[^\s?#;,|<>()]*)?)/giu;

/** A template that adds the address to what is one already. */
const twice = /(linkedin\.com\/in\/)(?:https?:\/*)?(?:\w{2,3}\.)?linkedin\.com\/(?:in\/)?/gi;

/** LinkedIn's own ID of a member, of which each letter counts. Its tool for sales has the same IDs as its profiles. */
const memberId = /^AC\wAA[\w-]*$/;

/** Pages of everyone, and what stands in examples. */
const nobody =
	/^(?:in|me|unavailable|edit|login|feed|search|www|https?|(?:your|user)-?name|your-?(?:profile|handle)|profile|handle|example)$/;

const expected =
	'must be the URL of a LinkedIn profile such as "https://www.linkedin.com/in/nathan-smith", but is';

export const readLinkedIn = reader({
	name: 'URL of a LinkedIn profile',
	find: (text) => {
		const url = (/%2f/i.test(text) ? decode(text) : text).replace(twice, '$1');
		return [...url.matchAll(profiles)].map(
			({ 0: all, 1: kind = '', 2: handle = '', 3: rest = '', index }) =>
				readProfile({
					kind: kind.toLowerCase(),
					handle,
					rest,
					after: url.slice(index + all.length),
				}),
		);
	},
	explain: (text) => `${expected} ${quote(text)}`,
});

interface Profile {
	kind: string;
	handle: string;
	/** The path behind the handle. */
	rest: string;
	after: string;
}

function readProfile({ kind, handle: given, rest, after }: Profile): Found {
	const handle = normalize(decode(given), 'NFC').replace(
		/(?<![^\p{L}\p{M}\p{N}\p{Extended_Pictographic}_-])[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}_-]+$/u,
		'',
	);
	const [next = ''] = rest.replace(/^\//, '').split('/');
	const words = handle.replace(/[-_.]+/g, ' ');
	const isBlank = handle === '' || isNothing(words) || isNothing(`${words}/${next}`);
	if (isBlank || nobody.test(handle.toLowerCase())) return placeholder(given + rest);
	const isUnsure =
		dottedCapital.test(handle) ||
		(rest === '' && /^['’´\x60\\]\p{L}/u.test(after)) ||
		/[\s\p{Cc}]/u.test(handle) ||
		(rest === '' && /^ (?!https?:|[\w.-]{0,40}linkedin\.com)\p{L}/iu.test(after));
	// Half of `o'brien` or `ada berg` would be another person.
	if (isUnsure) return { problem: `${expected} ${quote(given + rest + after)}` };
	if (mixesAlphabets(handle)) return describeMix(handle);
	return identify(kind, handle, rest);
}

function identify(kind: string, handle: string, rest: string): { value: string; identity: string } {
	const name = memberId.test(handle) ? handle : handle.toLowerCase();
	if (kind === 'pub') {
		const path = `${name}${cleanPath(rest)}`;
		return { value: `https://www.linkedin.com/pub/${encodeURI(path)}`, identity: `pub/${path}` };
	}
	if (kind === 'in' || kind.startsWith('sales'))
		return { value: `https://www.linkedin.com/in/${encodeURIComponent(name)}`, identity: name };
	return {
		value: `https://www.linkedin.com/${kind}/${encodeURIComponent(handle)}`,
		identity: `${kind}/${handle}`,
	};
}

/** The numbers behind an old public profile's name, which are part of it. */
function cleanPath(rest: string): string {
	const [path = ''] = /^(?:\/[\da-f]{1,3}){3}/i.exec(rest) ?? [];
	return path.toLowerCase();
}
