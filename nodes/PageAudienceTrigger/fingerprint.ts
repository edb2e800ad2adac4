import { createHash } from 'node:crypto';
import type { Delivery } from './delivery';

/** The same for bodies of the same content, in whatever order and layout their JSON is written. */
export function makeFingerprint({ body, text }: Pick<Delivery, 'body' | 'text'>): string {
	return createHash('sha256').update(writeCanonical(body, text)).digest('hex');
}

function writeCanonical(body: unknown, text: string): string {
	try {
		return JSON.stringify(sortKeys(body)) ?? text;
	} catch {
		// Nested deeper than the stack: only the very same text is the same then.
		return text;
	}
}

function sortKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (typeof value !== 'object' || value === null) return value;
	// From entries, so that a field named __proto__ counts like any other.
	return Object.fromEntries(
		Object.entries(value)
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([key, each]) => [key, sortKeys(each)]),
	);
}
