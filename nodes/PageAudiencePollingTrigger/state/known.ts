/**
 * The content that each known record had, by its key; 0 where changes do not count. IDs are not documented to be unique:
 * several records of one ID have several contents.
 */
export type Known = Map<number, readonly number[]>;

/** Adds a content to those of its key. */
export function addContent(known: Known, key: number, content: number): void {
	const before = known.get(key);
	if (!before) known.set(key, [content]);
	else if (!before.includes(content)) known.set(key, [...before, content]);
}

/** Bytes for the content of a record. */
const contentBytes = 3;
const hasContents = 1;
/** A varint holds seven bits in each byte, and its last byte is below this. */
const more = 0x80;
/** Enough for the distance between two keys. */
const longestVarint = 7;

/**
 * One base64 text: in n8n's static data, 100,000 separate texts would take four times as much. The keys are sorted, and
 * each is written as its distance from the one before, which is shorter the more there are. So 100,000 records take
 * about 560 KB, or 960 KB with their contents. A key with several contents comes several times.
 */
export function writeKnown(known: Known): string {
	const sorted = Float64Array.from(known.keys()).sort();
	const contents = [...known.values()];
	const withContents = contents.some((each) => each.some((content) => content > 0));
	const count = contents.reduce((sum, { length }) => sum + length, 0);
	const bytes = Buffer.allocUnsafe(1 + count * (longestVarint + contentBytes));
	let end = bytes.writeUInt8(withContents ? hasContents : 0);
	let before = 0;
	for (const key of sorted) {
		for (const content of known.get(key) ?? []) {
			let distance = key - before;
			before = key;
			for (; distance >= more; distance = Math.floor(distance / more))
				end = bytes.writeUInt8((distance % more) + more, end);
			end = bytes.writeUInt8(distance, end);
			if (withContents) end = bytes.writeUIntBE(content, end, contentBytes);
		}
	}
	return bytes.toString('base64', 0, end);
}

/** @throws {RangeError} for a text that writeKnown has not written */
export function readKnown(text: string): Known {
	const bytes = Buffer.from(text, 'base64');
	const known: Known = new Map();
	const withContents = bytes.readUInt8(0) === hasContents;
	let key = 0;
	for (let at = 1; at < bytes.length; ) {
		for (let unit = 1; ; unit *= more) {
			const byte = bytes.readUInt8(at++);
			key += (byte % more) * unit;
			if (byte < more) break;
		}
		addContent(known, key, withContents ? bytes.readUIntBE(at, contentBytes) : 0);
		if (withContents) at += contentBytes;
	}
	return known;
}
