import { redact } from '../../api/redact';

/** A value that this trigger put into a URL, also where the URL itself stands encoded in a query. */
const ownParameter =
	/((?:[?&;]|%3F|%26)(?:token|test|back|kept|copy)(?:=|%3D))(?:(?!%26)[^&\s"'<>#;,])+/gi;

/** A text without secrets: the tokens given, and what stands for one in any URL in it. */
export function redactText(text: string, tokens: string[] = []): string {
	return redact(text, tokens).replace(ownParameter, '$1***');
}
