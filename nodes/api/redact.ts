import { isObject } from '../runtime/unknown';

const mark = '***';

/** A shorter text is hardly a secret, and may be an ordinary word of the message. */
const fewestLetters = 8;

/**
 * Removes the secret from everything that people can read of an error. The service may repeat the API key there,
 * and people paste it into other fields.
 */
export function hideSecret<E>(error: E, secret: string): E {
	if (error instanceof Error)
		for (const name of ['message', 'stack', 'description', 'details', 'problems'])
			if (name in error)
				Reflect.set(error, name, redact<unknown>(Reflect.get(error, name), secret));
	return error;
}

/**
 * A value without a secret, wherever it stands in it: as it is, or escaped as in a URL or in JSON. A part of the secret is
 * not found, so a text is redacted before it is cut, or cut with `shortenWords`.
 */
export function redact<T>(value: T, secret: string): T {
	if (secret.length < fewestLetters) return value;
	const spellings = [
		secret,
		encodeURIComponent(secret.toWellFormed()),
		JSON.stringify(secret).slice(1, -1),
	];
	const clean = (text: string) =>
		spellings.reduce((left, each) => left.replaceAll(each, mark), text);
	const copy = (member: unknown): unknown => {
		if (typeof member === 'string') return clean(member);
		if (Array.isArray(member)) return member.map(copy);
		if (!isObject(member)) return member;
		return Object.fromEntries(
			Object.entries(member).map(([key, each]) => [clean(key), copy(each)]),
		);
	};
	return copy(value) as T;
}
