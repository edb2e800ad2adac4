/** What a parameter may hold: returns the value to send (trimmedText, say), or throws a InvalidValueError. */
export type Check = (value: string) => string;

/** A value that is not sent. The message goes on after the parameter's name: "must be …". */
export class InvalidValueError extends Error {}

/** Without spaces and line breaks around it. */
export const trimmedText: Check = (value) => value.trim();

/** A text of so many characters, as people count them. */
export function length(min: number, max: number): Check {
	return (value) => {
		const count = [...value].length;
		if (count >= min && count <= max) return value;
		throw new InvalidValueError(`must be ${min} to ${max} characters long, but has ${count}`);
	};
}

/** Refuses a text of nothing but spaces. */
export function nonBlank(check: Check): Check {
	return (value) => {
		if (value.trim() === '') throw new InvalidValueError('must not be blank');
		return check(value);
	};
}

export const nonEmptyText: Check = (value) => {
	if (value === '') throw new InvalidValueError('must not be empty');
	return value;
};

const kebabCasePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** `source` and `type` of a person log: 1 to 100 characters, lower-case words joined by hyphens. */
export const kebabCase: Check = (given) => {
	const value = given.trim();
	if (value === '' || (kebabCasePattern.test(value) && value.length <= 100)) return value;
	const suggestion = toKebabCase(value);
	throw new InvalidValueError(
		'must be 1 to 100 characters of lower-case letters and digits, words joined by single hyphens' +
			(suggestion ? `, e.g. "${suggestion}"` : '') +
			`, but is ${quote(value)}`,
	);
};

function toKebabCase(value: string): string {
	return value
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/([a-z0-9])([A-Z])/g, '$1-$2')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.slice(0, 100)
		.replace(/^-+|-+$/g, '');
}

export const personIdFormat = documentedId('prospect', 'Person > Search finds it');
export const accountIdFormat = documentedId('account', 'Account > Search finds it');

/**
 * An ID whose pattern the API documents, alone or in any text that holds exactly one: a link that was pasted, say.
 * Checked here and not by the parameter's own validation, which would stop the workflow before On Error is asked.
 */
function documentedId(prefix: string, origin: string): Check {
	const found = new RegExp(`(?<![a-zA-Z0-9_])${prefix}_[a-z0-9]{26}(?![a-zA-Z0-9_])`, 'g');
	return (given) => {
		const value = given.trim();
		const ids = [...new Set(value.match(found) ?? [])];
		if (value === '') return '';
		if (ids.length === 1) return ids[0];
		const what = ids.length ? `holds ${ids.length} of them: ${quote(value)}` : `is ${quote(value)}`;
		throw new InvalidValueError(
			`must be an ID such as "${prefix}_" and 26 lower-case letters and digits (${origin}), but ${what}`,
		);
	};
}

/** An absolute address. */
export const absoluteUrl: Check = (given) => {
	const value = given.trim();
	if (value === '' || URL.canParse(value)) return value;
	throw new InvalidValueError(
		`must be a whole address such as "https://example.com/hook", but is ${quote(value)}`,
	);
};

/** The value in a message: whole when short, never a megabyte. */
export function quote(value: string): string {
	const characters = [...value];
	return characters.length > 60 ? `"${characters.slice(0, 60).join('')}…"` : `"${value}"`;
}
