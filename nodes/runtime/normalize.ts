/** As in Unicode's Stream-Safe Text Format: no language needs more of them in a row. */
const mostMarks = 30;

/**
 * A text in one of the forms in which equal letters are equal. A text with endless marks on one letter stays as it is,
 * because sorting them takes quadratic time.
 */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
	if (/^[\0-\x7f]*$/.test(text)) return text;
	const marks = text.match(/\p{M}+/gu) ?? [];
	return marks.some((some) => some.length > mostMarks) ? text : text.normalize(form);
}

/**
 * An ID, a key or an address without the characters that nobody sees or types: pasted texts and exported files contain zero-width
 * spaces, byte order marks and non-breaking spaces.
 */
export function removeInvisible(text: string): string {
	return text
		.replace(/\p{Cf}/gu, '')
		.replace(/\p{Zs}/gu, ' ')
		.trim();
}

/** The same for a name, whose letters and emoji may need a joiner or a mark of direction between them. */
export function tidyName(text: string): string {
	return (
		text
			.replace(/[\u200b\u2060\ufeff]/g, '')
			.replace(/\p{Zs}/gu, ' ')
			.replace(/^[\s\p{Cf}]+/u, '')
			// In Kurdish, a joiner may be the end of the last letter.
			.replace(/(?<!(?!\u200c)[\s\p{Cf}])(?:(?!\u200c)[\s\p{Cf}])+$/u, '')
	);
}
