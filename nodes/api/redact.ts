import { isObject } from '../runtime/unknown';

const mark = '***';

/** What is shorter is no secret, and may be a word of the message. */
const fewestLetters = 8;

/**
 * An error without the secret in what people get to read of it, whoever put it there: the service may repeat the API key,
 * and people paste it into other fields.
 */
export function hideSecret<E>(error: E, secret: string): E {
	if (error instanceof Error)
		for (const name of ['message', 'stack', 'description', 'details', 'problems'])
			if (name in error)
				Reflect.set(error, name, redact<unknown>(Reflect.get(error, name), secret));
	return error;
}

/** A value without a secret, wherever it stands in it: as it is, and escaped as in a URL or in JSON. */
export function redact<T>(value: T, secret: string): T {
	if (secret.length < fewestLetters) return value;
	const inJson = escapeJson(secret);
	const inText = escapeJson(inJson);
	// JSON that holds JSON, and is shown as JSON.
	const spellings = [escapeJson(inText), inText, inJson, encodeURIComponent(secret), secret];
	const clean = (text: string) =>
		hideCut(
			spellings.reduce((left, spelling) => left.replaceAll(spelling, mark), text),
			spellings,
		);
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

function escapeJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

/** A text that was shortened may end within the secret. */
function hideCut(text: string, spellings: string[]): string {
	const parts = text.split('…');
	const last = parts.pop() ?? '';
	return [...parts.map((part) => hideEnd(part, spellings)), last].join('…');
}

function hideEnd(text: string, spellings: string[]): string {
	const longest = Math.max(...spellings.map((spelling) => countAtEnd(text, spelling)));
	return longest < fewestLetters / 2 ? text : text.slice(0, -longest) + mark;
}

/** How many letters of the secret's beginning a text ends with. */
function countAtEnd(text: string, secret: string): number {
	let length = secret.length - 1;
	while (length > 0 && !text.endsWith(secret.slice(0, length))) length--;
	return length;
}
