/** Escaped HTML that is safe to send. Only `html` makes it. */
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

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]);

function writeFragment(fragment: Fragment): string {
	if (fragment === undefined || fragment === false) return '';
	if (fragment instanceof Html) return fragment.toString();
	if (typeof fragment === 'string' || typeof fragment === 'number')
		return escapeText(String(fragment));
	return fragment.map(writeFragment).join('');
}

/**
 * A template that escapes its values for text and quoted attributes, and skips `false` and undefined. Never put a
 * value into a script, a style or an unquoted attribute.
 */
export const html = (literals: TemplateStringsArray, ...values: Fragment[]): Html =>
	new Html(literals.map((literal, index) => literal + writeFragment(values[index])).join(''));
