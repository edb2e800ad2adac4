/** The beginning of a text, in characters as people see them, so that no emoji is cut in half. */
export function shorten(text: string, most: number): string {
	const characters = [...text];
	return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}

/**
 * The same for a text that may hold a secret. A secret that is cut in two would not be found, so a word that does not fit
 * keeps four letters at most.
 */
export function shortenWords(text: string, most: number): string {
	const characters = [...text];
	if (characters.length <= most) return text;
	const start = characters.slice(0, most).join('');
	return `${start.replace(/(?<!\S)(\S{1,4})\S*$/u, '$1')}…`;
}

/** `a, b and c`. With more than `most`, the others are only counted: `a, b and 4 more`. */
export function enumerate(texts: string[], most = Infinity): string {
	const rest = texts.length - most;
	const named = rest > 0 ? [...texts.slice(0, most), `${rest} more`] : texts;
	return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join();
}
