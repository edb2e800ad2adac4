import { type IDataObject, isSafeObjectProperty } from 'n8n-workflow';
import { shorten } from '../api/shorten';

/** Characters of a label. Longer ones are rare, and no column or list shows them whole. */
const longestName = 200;

/**
 * What the visitor answered: the responses by their labels, in the order of the interactions. A label that comes again
 * gets a number, and so does one that cannot stand alone.
 */
export function collectAnswers(interactions: IDataObject[]): IDataObject {
	const answers = new Map<string, IDataObject[string]>();
	const counts = new Map<string, number>();
	for (const { label, responseText } of interactions) {
		if (!isAnswered(responseText)) continue;
		const name = toName(label);
		const standsAlone = !isReserved(name);
		let count = counts.get(name) ?? 0;
		let key: string;
		do {
			count += 1;
			key = standsAlone && count === 1 ? name : `${name} (${count})`;
		} while (answers.has(key));
		counts.set(name, count);
		answers.set(key, responseText);
	}
	return Object.fromEntries(answers);
}

/** The API documents a text. Whatever else comes is an answer too, such as the number of a rating. */
function isAnswered(response: unknown): boolean {
	if (typeof response === 'string') return response.trim() !== '';
	if (Array.isArray(response)) return response.length > 0;
	return response !== undefined && response !== null;
}

/** On one line, without what ends the text or the braces of the expression that n8n writes for a dragged field. */
function toName(label: unknown): string {
	const text = typeof label === 'string' || typeof label === 'number' ? String(label) : '';
	const line = text
		.toWellFormed()
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim()
		.replaceAll('\\', '/')
		.replace(/\{{2,}/g, '{')
		.replace(/\}{2,}/g, '}')
		// n8n refuses an expression with `.constructor` in it, even within quotes.
		.replace(/(\. ?)c(?=onstructor)/g, '$1C');
	return /[^\s\p{C}]/u.test(line) ? shorten(line, longestName) : 'No label';
}

/** A name that n8n's expressions cannot read, or a number, which objects put before other names. */
function isReserved(name: string): boolean {
	return (
		/^(?:\d+$|__|constructor)/.test(name) ||
		name in Object.prototype ||
		name === 'globalThis' ||
		!isSafeObjectProperty(name)
	);
}
