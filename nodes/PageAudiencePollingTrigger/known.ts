import { hash as digest } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { writeCanonical } from '../runtime/canonical';

/**
 * Records by the hashes of their identities. Where changes count, each has its fingerprint: a part for the whole record,
 * and one for each chosen field.
 */
export type Records = Map<string, string>;

/** The fields whose changes count. An empty list stands for all fields, undefined for no changes at all. */
export type ChosenFields = string[] | undefined;

/** The known records, as n8n stores them. */
export interface StoredRecords {
	/** Of the fingerprints. */
	fields: ChosenFields;
	/** When the latest generation began. */
	latestStartedAt: number;
	/** Records that were listed since then. */
	latest: string;
	/** Records that were last listed in the generation before. */
	earlier: string;
}

export function noRecords(fields: ChosenFields, latestStartedAt: number): StoredRecords {
	return { fields, latestStartedAt, latest: '', earlier: '' };
}

const keyLength = 8;
const partLength = 4;

/** Stands for a field that was not chosen when the record was listed. It is not in base64. */
const unknown = '-';

/** With 100,000 known records, one new record in three billion meets a hash that is taken. */
export function hashIdentity(identity: unknown): string {
	return hash(JSON.stringify(identity), keyLength);
}

/** One change in 16 million meets the fingerprint from before. */
export function makeFingerprint(record: IDataObject, fields: readonly string[]): string {
	// A missing field is the same as null.
	const parts = [record, ...fields.map((field) => record[field] ?? null)];
	return parts.map((part) => hash(writeCanonical(part), partLength)).join('');
}

function hash(text: string, length: number): string {
	return digest('sha256', text, 'base64').slice(0, length);
}

/**
 * Whether anything that counts has changed between two fingerprints.
 * @returns with the chosen fields that differ, unless the first fingerprint has no part for them
 */
export function compare(
	lastSeen: string,
	now: string,
	fields: readonly string[],
): { isChanged: boolean; changedFields?: string[] } {
	const partOf = (text: string, n: number) => text.slice(n * partLength, (n + 1) * partLength);
	const isSame = (n: number) => partOf(lastSeen, n) === partOf(now, n);
	if (isSame(0)) return { isChanged: false };
	if (fields.length === 0 || lastSeen.endsWith(unknown)) return { isChanged: true };
	const changedFields = fields.filter((_, n) => !isSame(n + 1));
	return { isChanged: changedFields.length > 0, changedFields };
}

export type KnownRecords = ReturnType<typeof openRecords>;

/**
 * The known records of a list, in two generations: the older one is forgotten when the younger one has its age.
 * @param fields the fields that are chosen now
 */
export function openRecords(stored: StoredRecords, fields: ChosenFields) {
	const latest = unpack(stored.latest, stored.fields, fields);
	const earlier = unpack(stored.earlier, stored.fields, fields);
	/** @returns the fingerprint with which the record was last listed; undefined for a record that is not known */
	const find = (key: string): string | undefined => latest.get(key) ?? earlier.get(key);
	/**
	 * Adds the records of a scan.
	 * @param seen the records that it met in a poll
	 * @param generationMs undefined if nothing is ever forgotten
	 * @returns what is known then
	 */
	const add = (seen: Records, startedAt: number, generationMs = Infinity): StoredRecords => {
		const isNext = startedAt - stored.latestStartedAt >= generationMs;
		const [younger, older] = isNext ? [new Map() as Records, latest] : [latest, earlier];
		for (const [key, fingerprint] of seen) {
			younger.set(key, fingerprint);
			older.delete(key);
		}
		const latestStartedAt = isNext ? startedAt : stored.latestStartedAt;
		return { fields, latestStartedAt, latest: pack(younger), earlier: pack(older) };
	};
	return { find, add };
}

/**
 * One text, because in n8n's static data 100,000 separate ones would take several times as much. 100,000 records take 0.8
 * MB, or 1.2 MB with their fingerprints, and 0.4 MB more for each chosen field.
 */
function pack(records: Records): string {
	return Array.from(records, ([key, fingerprint]) => key + fingerprint).join('');
}

/** When other fields are chosen, each fingerprint keeps only the part for the whole record. */
function unpack(text: string, written: ChosenFields, chosen: ChosenFields): Records {
	const records: Records = new Map();
	const isSameChoice = String(written) === String(chosen);
	const length = keyLength + measure(written);
	for (let at = 0; at < text.length; at += length) {
		const key = text.slice(at, at + keyLength);
		const fingerprint = text.slice(at + keyLength, at + length);
		const whole = fingerprint.slice(0, partLength);
		records.set(key, isSameChoice ? fingerprint : whole.padEnd(measure(chosen), unknown));
	}
	return records;
}

/** The length of a fingerprint. */
const measure = (fields: ChosenFields): number => (fields ? (1 + fields.length) * partLength : 0);
