import { crc32 } from 'node:zlib';

/** One part of a PNG image: four letters, and what it holds. */
type Chunk = { type: string; data: Buffer };

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Joins images of one size to one that moves (APNG), and begins again at its end. Each keeps its pixels as they are. */
export function makeMoving(images: Buffer[], seconds: number): Buffer {
	const [first, ...others] = images.map(readChunks);
	const [header] = first;
	if (others.some(([each]) => !each.data.equals(header.data)))
		throw new Error('The images that shall move differ in size');
	let order = 0;
	const frames = [first, ...others].flatMap((chunks, n) => {
		const control = numbers(order++, ...sizeOf(header), 0, 0, (seconds << 16) | 1, 0);
		// The last two bytes say how a frame replaces the one before: as a whole.
		const frame: Chunk = { type: 'fcTL', data: control.subarray(0, 26) };
		const pixels = chunks.filter(({ type }) => type === 'IDAT');
		if (n === 0) return [frame, ...pixels];
		return [
			frame,
			...pixels.map(({ data }) => ({
				type: 'fdAT',
				data: Buffer.concat([numbers(order++), data]),
			})),
		];
	});
	const count: Chunk = { type: 'acTL', data: numbers(images.length, 0) };
	const end: Chunk = { type: 'IEND', data: Buffer.alloc(0) };
	return Buffer.concat([signature, ...[header, count, ...frames, end].map(writeChunk)]);
}

function readChunks(image: Buffer): Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = signature.length; at < image.length; ) {
		const length = image.readUInt32BE(at);
		const type = image.toString('latin1', at + 4, at + 8);
		chunks.push({ type, data: image.subarray(at + 8, at + 8 + length) });
		at += length + 12;
	}
	return chunks;
}

function writeChunk({ type, data }: Chunk): Buffer {
	const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	return Buffer.concat([numbers(data.length), content, numbers(crc32(content))]);
}

const sizeOf = ({ data }: Chunk): number[] => [data.readUInt32BE(0), data.readUInt32BE(4)];

function numbers(...values: number[]): Buffer {
	const buffer = Buffer.alloc(4 * values.length);
	values.forEach((value, n) => buffer.writeUInt32BE(value, 4 * n));
	return buffer;
}
