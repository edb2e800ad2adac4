/** As in Unicode's Stream-Safe Text Format: no language needs more of them in a row. */
const mostMarks = 30;

/**
 * A text in one of the forms in which equal letters are equal. A text with endless marks on one letter stays as it is,
 * because sorting them takes quadratic time.
 */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKD'): string {
	const marks = text.match(/\p{M}+/gu) ?? [];
	return marks.some((some) => some.length > mostMarks) ? text : text.normalize(form);
}
