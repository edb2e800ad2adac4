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
 * What ends a cell in a spreadsheet that does not expect commas, even within quotes: those count only at the beginning
 * of a cell. Where a tab ends none, it is a space in a formula.
 */
const separators = [/([;|\r\n])/, /(\t)/];

/** Around a part of a cell, the spreadsheet removes quotes. */
const quotesBefore = /^[\s\p{C}"]+/u;

/**
 * A cell of a CSV file that no spreadsheet runs as a formula: with a quote in front of it, or of each part that would
 * be run. Plain numbers and phone numbers stay as they are, because nothing in them can do harm.
 */
export function escapeFormula(text: string): string {
	const escaped = escapeParts(text, separators);
	return isFormula(escaped) ? `'${escaped}` : escaped;
}

/** The first part is the beginning of the whole. */
function escapeParts(text: string, [separator, ...finer]: RegExp[], isEnd = true): string {
	if (!separator) return text;
	const parts = text.split(separator);
	return parts
		.map((part, i) => {
			const isLast = isEnd && i === parts.length - 1;
			const escaped = escapeParts(part, finer, isLast);
			const inner = escaped.replace(quotesBefore, '');
			return i > 0 && (isFormula(inner) || (isLast && isOpen(inner))) ? `'${escaped}` : escaped;
		})
		.join('');
}

/** Nothing but a sign, which makes a formula of the cell behind it: `-","&A1`. */
function isOpen(text: string): boolean {
	return formulaStart.test(text) && !/[\p{L}\p{N}]/u.test(text);
}

/** The same for JSON, which means what it did. */
export function escapeFormulaInJson(json: string): string {
	return json.replace(
		/[;|](?=[\s\p{C}]*[=+\-@＝＋－＠])/gu,
		(sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
	);
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
	const number = phoneNumber.exec(text)?.[1];
	if (number === undefined) return false;
	const digits = number.replace(/\D/g, '').length;
	// A sign at its end would join it with what follows: an extension `x7` with the cell X7, or the next cell.
	return /[\d)]$/.test(number.trimEnd()) && digits >= 5 && digits <= 20;
}
