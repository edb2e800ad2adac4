/** The values of a text, with `¦` between them. `⏎` is a line break. */
export const listValues = (text: string): string[] =>
	text
		.trim()
		.split(/\s*¦\s*/)
		.map((value) => value.replaceAll('⏎', '\n'));

/** Each row has values of one kind. What is indented further belongs to the row before. */
export const table = (text: string) =>
	text
		.trim()
		.split(/\n(?!\t\t)\t/)
		.map(listValues)
		.map(([kind, ...values]): [kind: string, values: string[]] => [kind, values]);
