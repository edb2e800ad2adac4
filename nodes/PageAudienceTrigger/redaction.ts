const mark = '***';

/** A text without secrets: the tokens given, and what stands for one in any URL in it. */
export function redactText(text: string, tokens: string[] = []): string {
	return replaceTokens(text, tokens).replace(
		/((?:[?&;]|%3F|%26)(?:token|back)(?:=|%3D))(?:(?!%26)[^&\s"'<>#;,])+/gi,
		`$1${mark}`,
	);
}

/** The tokens alone, anywhere in a value, for bodies that repeat the URL that they are sent to. */
export function redactTokens(value: unknown, tokens: string[]): unknown {
	if (typeof value === 'string') return replaceTokens(value, tokens);
	if (Array.isArray(value)) return value.map((each) => redactTokens(each, tokens));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) => [
			replaceTokens(key, tokens),
			redactTokens(each, tokens),
		]),
	);
}

function replaceTokens(text: string, tokens: string[]): string {
	return tokens.reduce((left, token) => left.replaceAll(token, mark), text);
}
