/** The first characters of a text. No emoji or rare letter, which has two units, is cut in half. */
export const cut = (text: string, most: number): string => [...text].slice(0, most).join('');

/** The beginning of a text, and a sign that it goes on. */
export function shorten(text: string, most: number): string {
	const start = cut(text, most);
	return start === text ? text : `${start}…`;
}

/**
 * The same for a text that may hold a secret. A secret that is cut in two would not be found, so a word that does not fit
 * keeps four letters at most.
 */
export function shortenWords(text: string, most: number): string {
	const start = cut(text, most);
	if (start === text) return text;
	return `${start.replace(/(?<!\S)(\S{1,4})\S*$/u, '$1')}…`;
}

/** `a, b and c`. With more than `most`, the others are only counted: `a, b and 4 more`. */
export function enumerate(texts: string[], most = Infinity): string {
	const rest = texts.length - most;
	const named = rest > 0 ? [...texts.slice(0, most), `${rest} more`] : texts;
	return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join();
}
