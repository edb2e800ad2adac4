import { type Check, InvalidValueError, quote } from '../parameters/checks';
import { findField, isAbsent } from '../runtime/absent';
import { tidyName } from '../runtime/normalize';

/*
 * What may go to a live page, which every visitor reads and clicks on. Refused is only what as a whole stands for a missing
 * value, and what runs in the browser. What looks like a mistake goes out, and is told.
 */

const refuseAbsent = (text: string, use: 'text' | 'url'): void => {
	if (isAbsent(text, use))
		throw new InvalidValueError(
			`is ${quote(text.trim())}, which stands for a value that is missing: see where it comes from`,
		);
};

/** A text as it is. */
export const liveText: Check = (text) => {
	refuseAbsent(text, 'text');
	return text;
};

/** A name or path, without blanks around it. */
export const liveName: Check = (name) => liveText(tidyName(name));

/** They run a script in the visitor's browser, or open something of the visitor's own. Browsers ignore blanks in a scheme. */
const harmful = /^(?:javascript|vbscript|data|blob|file):/i;

/** A URL of any other scheme, or relative to the page, without blanks around it. */
export const liveUrl: Check = (given) => {
	const url = tidyName(given);
	refuseAbsent(url, 'url');
	const [scheme] = harmful.exec(url.replace(/[\s\p{Cc}\p{Cf}]/gu, '')) ?? [];
	if (scheme !== undefined)
		throw new InvalidValueError(`must not begin with ${scheme}, but is ${quote(url)}`);
	return url;
};

/** @returns what is likely to be a mistake in texts that go to a live page, for a hint */
export function findDoubtful(body: unknown): string[] {
	const found = new Set<string>();
	JSON.stringify(body, (name, value: unknown) => {
		// A script has such words and braces as code.
		if (typeof value !== 'string' || name === 'content') return value;
		const field = findField(value);
		if (field !== undefined) found.add(`${quote(value)} has ${field}`);
		else if (/url$/i.test(name) && /^(?:www\.|[^\s/:@?#]+\.(?:com|org|net|de)\b)/i.test(value))
			found.add(`${quote(value)} has no https://`);
		return value;
	});
	return [...found];
}
