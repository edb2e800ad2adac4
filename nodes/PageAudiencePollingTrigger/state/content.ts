import { createHash } from 'node:crypto';

/**
 * What a record holds, as far as changes count: four characters for all of it, and four for each chosen field, in the
 * order of the choice. Blank where changes do not count.
 */
export type Content = string;

/** Bytes of the hash of a part, and the characters that they take in base64. */
export const partBytes = 3;
export const partLength = 4;

/** One change in 16 million meets the hash from before. */
const parts = 2 ** (8 * partBytes);

/** Stands for a field whose content was not stored. No hash is like it. */
const unknownPart = Buffer.alloc(partBytes).toString('base64');

/** @param fields the contents of the chosen fields */
export function writeContent(whole: string, fields: string[] = []): Content {
	return [whole, ...fields].map(hashPart).join('');
}

function hashPart(text: string): string {
	const hash = createHash('sha256').update(text).digest().readUIntBE(0, 6);
	const bytes = Buffer.allocUnsafe(partBytes);
	bytes.writeUIntBE((hash % (parts - 1)) + 1, 0, partBytes);
	return bytes.toString('base64');
}

/**
 * The content of a record as far as it was stored, for another choice of fields.
 * @param whole in base64
 * @param fields in base64, in the order in which they were chosen then
 */
export function readContent(
	whole: string,
	fields: string,
	then: readonly string[],
	now: readonly string[],
): Content {
	if (whole === unknownPart) return '';
	return whole + now.map((name) => partAt(fields, then.indexOf(name))).join('');
}

function partAt(fields: string, index: number): string {
	const part = index < 0 ? '' : fields.slice(index * partLength, (index + 1) * partLength);
	return part.length === partLength ? part : unknownPart;
}

export const wholeOf = (content: Content): string => content.slice(0, partLength);

export const fieldsOf = (content: Content): string => content.slice(partLength);

/** Whether nothing that counts has changed. A field that was not stored has changed if anything has. */
export function isSameContent(now: Content, before: Content): boolean {
	if (wholeOf(now) === wholeOf(before)) return true;
	return fieldsOf(now) !== '' && fieldsOf(now) === fieldsOf(before);
}

/**
 * The chosen fields that differ.
 * @returns undefined if not all of them were stored
 */
export function findChangedFields(
	now: Content,
	before: Content,
	names: readonly string[],
): string[] | undefined {
	const partsOf = (content: Content) => names.map((_, index) => partAt(fieldsOf(content), index));
	const [partsNow, partsBefore] = [partsOf(now), partsOf(before)];
	if (partsBefore.includes(unknownPart)) return undefined;
	return names.filter((_, index) => partsNow[index] !== partsBefore[index]);
}
