import { hashText, writeCanonical } from '../api/canonical';
import type { Delivery } from './delivery/delivery';

/** The same for bodies of the same content, in whatever order and layout their JSON is written. */
export function makeFingerprint({ body, text }: Pick<Delivery, 'body' | 'text'>): string {
	try {
		return hashText(writeCanonical(body) || text);
	} catch {
		// Nested deeper than the stack: only the very same text is the same then.
		return hashText(text);
	}
}
