/* What programs write in place of a value that is missing, known by its form in every language. */

/** A field of a template that was not filled, in the styles of programs for forms, mails and automation. */
export function hasTemplateField(text: string): boolean {
	return (
		/\{\{|\}\}|[$@#]\{|\{[!%]|<%|%>|\*\|[^*|]+\|\*|%%|##\p{L}|<<|>>|\{(?=[^{}]*\p{L})[^{}@"]*\}|%[a-z]{3,}(?:[_-][a-z]+)*%/iu.test(
			text,
		) ||
		/\[object Object\]|(?<![\p{L}\p{N}])undefined(?![\p{L}\p{N}])/iu.test(text) ||
		/^(?:\$[A-Za-z]\w*|__\w+__|\\N)$/.test(text)
	);
}

/** What Excel, Sheets, Numbers and LibreOffice write in place of a value, in all of their languages. */
export function isSpreadsheetError(text: string): boolean {
	return (
		/^#(?:[¡¿]?[\p{Lu}\p{M}\d_./ ]{1,20}[!?]|\p{Lu}{1,6}[/.]\p{Lu}{1,6}[!.]?|N[AV]|GETTING_DATA|YOK|HIÁNYZIK)$/u.test(
			text,
		) || /^(?:Err|Error|Fehler|Erreur|Errore|Ошибка):\d{3}$/.test(text)
	);
}

/** A word for no value. `Nan` is a name. */
export function isNoValue(text: string): boolean {
	return (
		/^["'<([]?(?:null|undefined|n\/a|#n\/a|NaN|object Object)["'>)\]]?$/i.test(text) &&
		text !== 'Nan'
	);
}

/** Microsoft's programs write one in braces, as templates write a field. */
const guid = /\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}/gi;

export function withoutGuids(text: string): string {
	return text.replace(guid, 'GUID');
}

/** Whether a text that tells records apart, or says which ones to look for, names none. */
export function namesNothing(text: string): boolean {
	const rest = withoutGuids(text.trim());
	return (
		hasTemplateField(rest) ||
		isSpreadsheetError(rest) ||
		// `Null` is a name, too.
		(isNoValue(rest) && rest !== 'Null') ||
		/^(?:None|nil|NaT|Invalid (?:DateTime|[Dd]ate))$/.test(rest) ||
		!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(rest)
	);
}
