/** `a, b and c`. With more than `most`, the others are only counted: `a, b and 4 more`. */
export function enumerate(texts: string[], most = Infinity): string {
	const rest = texts.length - most;
	const named = rest > 0 ? [...texts.slice(0, most), `${rest} more`] : texts;
	return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join();
}
