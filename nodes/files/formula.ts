/** What a spreadsheet takes for the beginning of a formula, in both widths of letters. */
const formulaStart = /^[=+\-@＝＋－＠]/;

/** Spreadsheets drop some of these at the beginning of a cell, and then see what stands behind them. */
const invisibleStart = /^[\s\p{C}]+/u;

/** With separators of thousands, an exponent or a percent sign. */
const plainNumber = /^[+-]?(?:\d[\d.,'\s]*|[.,]\d+)(?:e[+-]?\d+)?\s?%?$/i;

/** International, as people write it, with an extension: `+49 (0)30 1234-56 ext. 7`. */
const phoneNumber =
	/^(\+[\d\s().\-\u2010-\u2015/]+)(?:(?:[,;][\s,;]*)?(?:x|ext\.?|ext=|#)\s?\d{1,7})?$/i;

/**
 * A cell of a CSV file that no spreadsheet runs as a formula: with a quote in front of it if it would. Plain numbers
 * and phone numbers stay as they are, because nothing in them can do harm.
 */
export function escapeFormula(text: string): string {
	return isFormula(text) ? `'${text}` : text;
}

function isFormula(text: string): boolean {
	const visible = text.replace(invisibleStart, '').trimEnd();
	return (
		formulaStart.test(visible) &&
		// Signs alone, such as a dash for "none", compute nothing.
		/[\p{L}\p{N}]/u.test(visible) &&
		!plainNumber.test(visible) &&
		!isPhoneNumber(visible)
	);
}

function isPhoneNumber(text: string): boolean {
	const [, number = ''] = phoneNumber.exec(text) ?? [];
	const digits = number.replace(/\D/g, '').length;
	return digits >= 5 && digits <= 20;
}
