import { isAbsent } from '../runtime/absent';
import { normalize, removeInvisible } from '../runtime/normalize';
import { shortenWords } from '../runtime/text';
import { describeUrl, parseUrl, parseWebAddress } from '../runtime/url';
import { isMasked, maskTriggerUrls } from '../webhooks/triggerUrl';

/** Returns the value to send, for example without surrounding spaces, or throws an InvalidValueError. */
export interface Check {
	(value: string): string;
	/** Its item is sent without a value that cannot be used: any such one, or only one that says that there is none. */
	leavesOut?: 'all' | 'absent';
	/** What Options > Send As Is makes of the value instead. A check without it has no way around. */
	asIs?: (value: string) => string;
}

/** Why a value is not sent. test/engine/refusals.test.mts has an example of each, and the way out. */
export type Refusal =
	| 'absent'
	| 'invalid'
	| 'lostLetter'
	| 'noScheme'
	| 'ofEveryone'
	| 'script'
	| 'several'
	| 'tooLong'
	| 'unreadable';

/** A value that is not sent. Its message follows the parameter's label: "must be …". */
export class InvalidValueError extends Error {
	readonly reason: string;

	readonly refusal: Refusal;

	/** @param remedy what only a person can do, with what joins it to the reason: ": use …" */
	constructor(reason: string, remedy = '', refusal: Refusal = 'invalid') {
		super(reason + remedy);
		this.reason = reason;
		this.refusal = refusal;
	}
}

/** The check of a value that its item does not need. */
export function leaveOut(check: Check, which: 'all' | 'absent'): Check {
	return Object.assign((value: string) => check(value), { ...check, leavesOut: which });
}

/** An ID, key or flag without spaces around it and invisible characters. Refuses text that several records would share. */
export const trimmedText: Check = (given) => {
	const value = removeInvisible(given);
	if (value.includes('[object Object]'))
		throw new InvalidValueError(
			'contains [object Object], which n8n writes for every object',
			': choose a field of the object',
		);
	if (/^\d+([.,]\d+)?e\+\d+$/i.test(value))
		throw new InvalidValueError(
			`is ${quote(value)}, a number that a spreadsheet has rounded`,
			': format its column as text, and export it again',
		);
	return namingText(value);
};

/** A text as it is, that says which records are meant. What programs write for a missing value names none, or all of them. */
export const namingText: Check = (text) => {
	if (isAbsent(removeInvisible(text), 'key')) throw describeNothing(text);
	return text;
};

export function describeNothing(text: string): InvalidValueError {
	return new InvalidValueError(
		`is ${quote(text)}, which says that there is none`,
		': correct it in the source, or drag the right field into the panel',
		'absent',
	);
}

/** Counts characters, not UTF-16 units: an emoji is one. */
export function length(min: number, max: number): Check {
	return (value) => {
		const count = [...value].length;
		if (count >= min && count <= max) return value;
		throw new InvalidValueError(`must have ${min} to ${max} characters, but has ${count}`);
	};
}

const kebabCasePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** `source` and `type` of a person log entry: 1 to 100 characters, lowercase words joined by hyphens. */
export const kebabCase: Check = (given) => {
	const value = namingText(removeInvisible(given));
	if (value === '' || (kebabCasePattern.test(value) && value.length <= 100)) return value;
	const suggestion = toKebabCase(value);
	const instead = suggestion ? `for example "${suggestion}" instead of` : 'not';
	throw new InvalidValueError(
		`is invalid: use lowercase letters, digits and single hyphens, up to 100 characters, ${instead} ${quote(value)}`,
	);
};

function toKebabCase(value: string): string {
	return normalize(value, 'NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/([a-z0-9])([A-Z])/g, '$1-$2')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.slice(0, 100)
		.replace(/^-|-$/g, '');
}

export const personIdFormat = documentedId('prospect_', 'Person > Search');
export const accountIdFormat = documentedId('account_', 'Account > Search');

const idPattern = /(?<![a-zA-Z0-9_])(?:account|prospect)_[a-z0-9]{26}(?![a-zA-Z0-9_])/g;

/**
 * An ID whose pattern the API documents, alone or in a text that contains exactly one, such as a pasted link.
 * Not done by the parameter's own validation, because n8n would then stop the workflow regardless of On Error.
 */
function documentedId(prefix: string, origin: string): Check {
	return (given) => {
		const value = removeInvisible(given);
		const ids = new Set((value.match(idPattern) ?? []).filter((found) => found.startsWith(prefix)));
		const [id = ''] = ids;
		if (value === '' || ids.size === 1) return id;
		const what = ids.size ? `contains ${ids.size} of them: ${quote(value)}` : `is ${quote(value)}`;
		throw new InvalidValueError(
			`must be "${prefix}" followed by 26 lowercase letters and digits (find it with ${origin}), but ${what}`,
		);
	};
}

/** The value for a message, shortened if it is long, without a secret. A long URL is shown as lists show it. */
export function quote(value: string): string {
	const isLongUrl = value.length > longestQuote && parseWebAddress(value) !== undefined;
	const shown = isLongUrl ? describeUrl(value) : maskTriggerUrls(value);
	return `"${showHidden(shortenWords(shown, longestQuote))}"`;
}

const longestQuote = 60;

/** Line breaks as one sign, and the code of each other character that is not seen, but for those that emoji consist of. */
function showHidden(text: string): string {
	return text
		.replace(/\r\n|[\n\r\p{Zl}\p{Zp}]/gu, '⏎')
		.replace(
			/(?!\u200c|\u200d|[\u{e0000}-\u{e007f}])[\p{Cc}\p{Cf}]/gu,
			(found) => `[U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
		);
}

/** @param advice what to do about a URL that was copied from an output */
export function subscriptionUrl(advice: string): Check {
	return (given) => {
		if (isMasked(given))
			throw new InvalidValueError(`contains *** in place of a secret. ${advice}`);
		const value = namingText(removeInvisible(given));
		if (value === '' || parseUrl(value)) return value;
		throw new InvalidValueError(
			`must be a full URL such as "https://example.com/hook", but is ${quote(value)}`,
		);
	};
}
