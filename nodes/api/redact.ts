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
 * A value without a secret, wherever it stands in it, also escaped. A part of the secret is not found, so a text is
 * redacted before it is cut, or cut with `shortenWords`.
 */
export function redact<T>(value: T, secret: string): T {
	if (secret.length < fewestLetters) return value;
	const copy = (member: unknown): unknown => {
		if (typeof member === 'string') return clean(member, secret);
		if (Array.isArray(member)) return member.map(copy);
		if (!isObject(member)) return member;
		return Object.fromEntries(
			Object.entries(member).map(([key, each]) => [clean(key, secret), copy(each)]),
		);
	};
	return copy(value) as T;
}

/** A text that has the secret under escapes comes back without them. */
function clean(text: string, secret: string, layers = 2): string {
	const left = text.replaceAll(secret, mark);
	if (layers === 0) return left;
	for (const unescape of unescapes) {
		const inner = unescape(left);
		const cleaned = inner === left ? inner : clean(inner, secret, layers - 1);
		if (cleaned !== inner) return clean(cleaned, secret, layers);
	}
	return left;
}

const named: Record<string, string> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };
const toLetter = (code: string, base = 16) => String.fromCodePoint(parseInt(code, base));

/** What undoes the escapes of a URL, of JSON and of HTML. */
const unescapes: Array<(text: string) => string> = [
	(text) => text.replace(/%([\da-f]{2})/gi, (_, hex: string) => toLetter(hex)),
	(text) =>
		text.replace(/\\(?:u([\da-f]{4})|(["\\/]))/gi, (_, hex?: string, letter?: string) =>
			hex ? toLetter(hex) : (letter ?? ''),
		),
	(text) =>
		text
			.replace(/&#x0*([\da-f]{2});/gi, (_, hex: string) => toLetter(hex))
			.replace(/&#0*(\d{2,3});/g, (_, code: string) => toLetter(code, 10))
			.replace(/&([a-z]{2,4});/g, (whole, name: string) => named[name] ?? whole),
];
