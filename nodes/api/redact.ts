import { isObject } from './request';

/** What stands in place of a secret. */
const mark = '***';

/** Nobody is shown what is nested deeper. */
const deepest = 20;

/** A value without a secret, wherever it stands in it: as it is, and escaped as in a URL or in JSON. */
export function redact<T>(value: T, secret: string): T {
	if (secret === '') return value;
	const spellings = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), secret];
	const clean = (text: string) =>
		spellings.reduce((left, spelling) => left.replaceAll(spelling, mark), text);
	const copy = (member: unknown, depth: number): unknown => {
		if (typeof member === 'string') return clean(member);
		if (typeof member !== 'object' || member === null) return member;
		if (depth > deepest) return mark;
		if (Array.isArray(member)) return member.map((each) => copy(each, depth + 1));
		if (!isObject(member)) return member;
		// From entries, so that a field named __proto__ stays a field.
		return Object.fromEntries(
			Object.entries(member).map(([key, each]) => [clean(key), copy(each, depth + 1)]),
		);
	};
	return copy(value, 0) as T;
}
