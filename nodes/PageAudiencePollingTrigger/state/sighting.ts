import { createHash } from 'node:crypto';
import type { Content } from './content';

/** A record that a reading came across. */
export interface Sighting<T = unknown> {
	/** Stands for what identifies the record. */
	key: number;
	content: Content;
	/**
	 * The chosen fields in which it differs from what is known of it: null for a record that is new, undefined where that
	 * is not known.
	 */
	changedFields?: string[] | null;
	/** What it was before the service gave it an ID, provided that nothing else of it has changed since. */
	withoutId?: Pick<Sighting, 'key' | 'content'>;
	/** Its own date in milliseconds, where it has a usable one. */
	at?: number;
	record: T;
}

/**
 * With 100,000 known records, one new record in 170 million meets a key that is taken. Six bytes would need a megabyte
 * for as many records with their content.
 */
const keys = 2 ** 44;

export function hashKey(text: string): number {
	return createHash('sha256').update(text).digest().readUIntBE(0, 6) % keys;
}
