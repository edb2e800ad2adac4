/** HTML that may go out as it is. Only `html` makes it, and escapes what it is given. */
export class Html {
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
	}

	toString(): string {
		return this.#text;
	}
}

export type Fragment = Html | string | number | false | undefined | readonly Fragment[];

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]);

function write(fragment: Fragment): string {
	if (fragment === undefined || fragment === false) return '';
	if (fragment instanceof Html) return fragment.toString();
	if (typeof fragment === 'string' || typeof fragment === 'number') return escape(String(fragment));
	return fragment.map(write).join('');
}

/**
 * A template whose values are escaped, for text and quoted attributes; nothing is written for `false` and undefined.
 * Never put a value into a script, a style or an attribute without quotes.
 */
export const html = (literals: TemplateStringsArray, ...values: Fragment[]): Html =>
	new Html(literals.map((literal, index) => literal + write(values[index])).join(''));
