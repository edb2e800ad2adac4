import { createHash } from 'node:crypto';
import { hashText, writeCanonical } from '../../runtime/canonical';
import type { Delivery } from './delivery';

/** The same for JSON of the same content, in whatever order and layout it is written. */
export function makeDeliveryKey({
	body,
	text,
	bytes,
	isJson,
}: Pick<Delivery, 'body' | 'text' | 'bytes' | 'isJson'>): string {
	const exact = () =>
		createHash('sha256')
			.update(bytes ?? text)
			.digest('hex');
	if (isJson ? isAmbiguous(text) : text !== '') return exact();
	try {
		return hashText(writeCanonical(body) || text);
	} catch {
		// Nested deeper than the stack: only the very same bytes are the same then.
		return exact();
	}
}

/** Whether different texts may have been parsed to this: numbers of many digits, and bytes that are no characters. */
function isAmbiguous(text: string): boolean {
	return text.includes('\ufffd') || /(?:\d\.?){16}|\d[eE][+-]?\d/.test(text);
}
