/** The values of a text, with `¦` between them. `⏎` is a line break. */
export const listValues = (text: string): string[] =>
	text
		.trim()
		.split(/\s*¦\s*/)
		.map((value) => value.replaceAll('⏎', '\n'));
