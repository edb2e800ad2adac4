import type { IDataObject } from 'n8n-workflow';
import { allUrlParameters, mask, maskParameters } from '../../api/triggerUrl';

/** A text without secrets: the tokens given, and what stands for one in any URL in it. */
export function redactText(text: string, tokens: string[] = []): string {
	return maskParameters(replaceTokens(text, tokens));
}

/**
 * A service may repeat the registered URL in its body. Bodies that do not are left as they are; a text with escapes may
 * hold the token in other letters.
 */
export function redactBody(body: unknown, text: string, tokens: string[]): unknown {
	const isClean =
		text !== '' && !/[\\%&]/.test(text) && !tokens.some((token) => text.includes(token));
	return isClean ? body : redactTokens(body, tokens);
}

/**
 * The tokens alone, anywhere in a value, for bodies that repeat the URL that they are sent to. Without recursion: a body
 * may be nested deeper than the stack.
 */
export function redactTokens(value: unknown, tokens: string[]): unknown {
	let clean: unknown;
	const open: Member[] = [{ value, set: (member) => (clean = member) }];
	for (let next = open.pop(); next; next = open.pop()) {
		const { value: member, set } = next;
		if (typeof member === 'string') {
			set(replaceTokens(member, tokens));
		} else if (Array.isArray(member)) {
			const copy: unknown[] = [...(member as unknown[])];
			set(copy);
			copy.forEach((each, at) => open.push({ value: each, set: (one) => (copy[at] = one) }));
		} else if (typeof member === 'object' && member !== null) {
			// From entries, so that a field named __proto__ stays a field.
			const copy: Record<string, unknown> = Object.fromEntries(
				Object.entries(member).map(([key, each]) => [replaceTokens(key, tokens), each]),
			);
			set(copy);
			for (const [key, each] of Object.entries(copy))
				open.push({ value: each, set: (one) => (copy[key] = one) });
		} else {
			set(member);
		}
	}
	return clean;
}

/** Words in the names of headers that let in whoever has their value. */
const secretWords = [
	'assertion',
	'auth',
	'authorization',
	'apikey',
	'cookie',
	'cookie2',
	'jwt',
	'oidc',
	'passwd',
	'password',
	'principal',
	'secret',
	'token',
];

/** Whether the header would let its reader in somewhere, here or elsewhere. */
export function isSecret(name: string): boolean {
	const lower = name.toLowerCase();
	const words = lower.split(/[-_]/);
	return (
		words.some((word) => secretWords.includes(word)) ||
		/(^|[-_])api[-_]key([-_]|$)|client[-_]cert/.test(lower) ||
		/^cf-access-|^x-goog-(iap|authenticated)-/.test(lower)
	);
}

/** Without secrets of their own, and without the token. */
export function cleanHeaders(headers: IDataObject, tokens: string[]): IDataObject {
	const kept = Object.entries(headers).filter(([name]) => !isSecret(name));
	return redactHeaders(Object.fromEntries(kept) as IDataObject, tokens);
}

/** Proxies write the URL, with its token, into headers such as x-forwarded-uri and referer. */
export function redactHeaders(headers: IDataObject, tokens: string[]): IDataObject {
	const clean = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(clean);
		return typeof value === 'string' ? redactText(value, tokens) : value;
	};
	const cleaned = Object.entries(headers).map(([name, value]) => [name, clean(value)]);
	return Object.fromEntries(cleaned) as IDataObject;
}

/** Without the parameters that this trigger itself put into the registered URL. */
export function cleanQuery(query: IDataObject, tokens: string[]): IDataObject {
	const others = Object.entries(query).filter(([name]) => !allUrlParameters.includes(name));
	return redactTokens(Object.fromEntries(others), tokens) as IDataObject;
}

interface Member {
	value: unknown;
	set: (clean: unknown) => void;
}

function replaceTokens(text: string, tokens: string[]): string {
	return tokens.reduce((left, token) => left.replaceAll(patternOf(token), mask), text);
}

/** The token's own letters, in either case and however a body may escape them: as JSON, in a URL, as XML. */
function patternOf(token: string): RegExp {
	const known = patterns.get(token);
	if (known) return known;
	const letters = [...token].map((letter) => {
		const codes = [...new Set([letter, letter.toUpperCase()])].map((each) => each.charCodeAt(0));
		const hex = `(?:${codes.map((code) => code.toString(16)).join('|')})`;
		const decimal = `(?:${codes.join('|')})`;
		return `(?:${letter}|\\\\+u00${hex}|%(?:25)*${hex}|&#0*${decimal};|&#x0*${hex};)`;
	});
	const pattern = new RegExp(letters.join(''), 'gi');
	if (patterns.size >= mostPatterns) patterns.clear();
	patterns.set(token, pattern);
	return pattern;
}

const mostPatterns = 100;
const patterns = new Map<string, RegExp>();
