import { type Check, InvalidValueError, quote } from '../parameters/checks';
import { findMistakes, isAbsent } from '../runtime/absent';
import { tidyName } from '../runtime/normalize';
import { toHost } from './domain';

/*
 * What may go to a live page, which every visitor reads and clicks on. Refused is only what as a whole stands for a missing
 * value, and a URL that runs something or opens nothing. What looks like a mistake goes out, and is told.
 */

function refuseAbsent(text: string, use: 'text' | 'url'): string {
	if (isAbsent(text, use))
		throw new InvalidValueError(
			`is ${quote(text.trim())}, which stands for a value that is missing: see where it comes from`,
			'',
			'absent',
		);
	return text;
}

const live = (check: Check, asIs: (value: string) => string): Check =>
	Object.assign(check, { asIs });

/** A text as it is. */
export const liveText = live(
	(text) => refuseAbsent(text, 'text'),
	(text) => text,
);

/** A name or path, without blanks around it. */
export const liveName = live((name) => refuseAbsent(tidyName(name), 'text'), tidyName);

/** A URL of any scheme that is no script, or relative to the page. */
export const liveUrl = live((given) => {
	const url = refuseAbsent(refuseScript(tidyName(given)), 'url');
	const complete = withScheme(url);
	if (complete !== undefined)
		throw new InvalidValueError(
			`is ${quote(url)}, which has no scheme and opens nothing. Write ${quote(complete)}`,
			'',
			'noScheme',
		);
	// A blank within a field belongs to its template.
	return url.replace(/\{\{[^{}]*\}\}|\p{Zs}/gu, (found) => (found.length > 1 ? found : '%20'));
}, refuseScript);

/** They run a script in the visitor's browser, or open something of the visitor's own. Browsers ignore blanks in a scheme. */
const scripts = /^(?:javascript|vbscript|data|blob|file):/i;

function refuseScript(given: string): string {
	const url = given.trim();
	const [scheme] = scripts.exec(url.replace(/[\s\p{Cc}\p{Cf}]/gu, '')) ?? [];
	if (scheme === undefined) return url;
	throw new InvalidValueError(`must not begin with ${scheme}, but is ${quote(url)}`, '', 'script');
}

/** `https://www.acme.com` for `www.acme.com`, which a browser looks for beside the page. */
function withScheme(url: string): string | undefined {
	const [, local = '', host = ''] =
		/^([^\s@:/?#]+@)?([^\s@:/?#]+)(?::\d+)?(?:[/?#]|$)/.exec(url) ?? [];
	if (toHost(host) === undefined) return undefined;
	return (local === '' ? 'https://' : 'mailto:') + url;
}

/** The fields of templates in what goes to a live page, for a hint. */
export function listMistakes(body: unknown): string[] {
	const found = new Set<string>();
	JSON.stringify(body, (name, value: unknown) => {
		// A script has such words and braces as code.
		if (typeof value === 'string' && name !== 'content')
			for (const field of findMistakes(value)) found.add(field);
		return value;
	});
	return [...found];
}
