/** Unicode's Stream-Safe Text Format allows 30 in a row: no language needs more. */
const tooManyMarks = /\p{M}{31}/u;

/**
 * A text in one of the forms in which equal letters are equal. A text with endless marks on one letter stays as it is,
 * because sorting them takes quadratic time.
 */
export function normalize(text: string, form: 'NFC' | 'NFKD'): string {
	return tooManyMarks.test(text) ? text : text.normalize(form);
}
