import { type Content, fieldsOf, partBytes, partLength, readContent, wholeOf } from './content';

/**
 * The content that each known record had, by its key. IDs are not documented to be unique: several records of one ID
 * have several contents.
 */
export type Known = Map<number, readonly Content[]>;

/** Adds a content to those of its key. */
export function addContent(known: Known, key: number, content: Content): void {
	const before = known.get(key);
	if (!before) known.set(key, [content]);
	else if (!before.includes(content)) known.set(key, [...before, content]);
}

/** Known records, as text. */
export interface WrittenKnown {
	/** Their keys, and the contents as a whole. */
	known: string;
	/** The contents of the chosen fields, in the same order. Earlier versions neither write nor read it. */
	fieldContents?: string;
}

const hasContents = 1;
/** A varint holds seven bits in each byte, and its last byte is below this. */
const more = 0x80;
/** Enough for the distance between two keys. */
const longestVarint = 7;

/**
 * In base64: in n8n's static data, 100,000 separate texts would take four times as much. The keys are sorted, and each
 * is written as its distance from the one before, which is shorter the more there are. So 100,000 records take about
 * 560 KB, or 960 KB with their contents, and 400 KB more for each chosen field. A key with several contents comes
 * several times.
 */
export function writeKnown(known: Known): WrittenKnown {
	const sorted = Float64Array.from(known.keys()).sort();
	const contents = [...known.values()];
	const withContents = contents.some((each) => each.some((content) => content !== ''));
	const count = contents.reduce((sum, { length }) => sum + length, 0);
	const bytes = Buffer.alloc(1 + count * (longestVarint + partBytes));
	const fields: string[] = [];
	let end = bytes.writeUInt8(withContents ? hasContents : 0);
	let before = 0;
	for (const key of sorted) {
		for (const content of known.get(key) ?? []) {
			let distance = key - before;
			before = key;
			for (; distance >= more; distance = Math.floor(distance / more))
				end = bytes.writeUInt8((distance % more) + more, end);
			end = bytes.writeUInt8(distance, end);
			if (withContents) {
				bytes.write(wholeOf(content), end, 'base64');
				end += partBytes;
			}
			fields.push(fieldsOf(content));
		}
	}
	return { known: bytes.toString('base64', 0, end), fieldContents: fields.join('') || undefined };
}

/**
 * @param then the fields that were chosen when it was written
 * @param now those that are chosen now
 * @throws {RangeError} for a text that writeKnown has not written
 */
export function readKnown(
	written: WrittenKnown,
	then: readonly string[] = [],
	now: readonly string[] = [],
): Known {
	const bytes = Buffer.from(written.known, 'base64');
	const { fieldContents = '' } = written;
	const fieldsLength = then.length * partLength;
	const known: Known = new Map();
	const withContents = bytes.readUInt8(0) === hasContents;
	let key = 0;
	let read = 0;
	for (let at = 1; at < bytes.length; read++) {
		for (let unit = 1; ; unit *= more) {
			const byte = bytes.readUInt8(at++);
			key += (byte % more) * unit;
			if (byte < more) break;
		}
		if (!withContents) {
			addContent(known, key, '');
			continue;
		}
		const whole = bytes.toString('base64', at, at + partBytes);
		at += partBytes;
		if (at > bytes.length) throw new RangeError('A content is cut off');
		const part = fieldContents.slice(read * fieldsLength, (read + 1) * fieldsLength);
		addContent(known, key, readContent(whole, part, then, now));
	}
	return known;
}
