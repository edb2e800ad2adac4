import { createHash } from 'node:crypto';

/** A record that a reading came across. */
export interface Sighting<T = unknown> {
	/** Stands for what identifies the record. */
	key: number;
	/** Stands for its content, where that matters; otherwise 0. */
	content: number;
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
/** One change in 16 million meets the content from before. */
const contents = 2 ** 24;

export function hashKey(text: string): number {
	return hash(text) % keys;
}

/** Never 0. */
export function hashContentNumber(text: string): number {
	return (hash(text) % (contents - 1)) + 1;
}

function hash(text: string): number {
	return createHash('sha256').update(text).digest().readUIntBE(0, 6);
}
