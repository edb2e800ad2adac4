import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';
import { providePackage } from './setup/toolchain.mjs';

// npm run pictures: takes the pictures of the documentation in n8n's editor. The tests in test/browser photograph what they
// show, and those whose names are in docs/images go there. Several with one name and a number become one that moves.

const images = join(root, 'docs/images');
const taken = join(root, '.cache/screenshots');
const names = readdirSync(images);
const msEach = 3_000;

/** Of a picture, or of each of its frames. */
const findFiles = (name: string): string[] => {
	const file = join(taken, name);
	return existsSync(file) ? [file] : globSync(file.replace('.png', '-[1-9].png')).sort();
};

await runToEnd(async () => {
	for (const file of names.flatMap(findFiles)) rmSync(file);
	const succeeded = await runNode('node_modules/jest/bin/jest.js', '--selectProjects', 'browser');
	const missing = names.filter((name) => findFiles(name).length === 0);
	for (const name of missing) console.error(`No test photographs ${name}`);
	for (const name of names.filter((each) => !missing.includes(each))) {
		const frames = findFiles(name).map((file) => readFileSync(file));
		writeFileSync(join(images, name), frames.length > 1 ? await makeMoving(frames) : frames[0]);
	}
	return succeeded && missing.length === 0 ? 0 : 1;
});

type Image = { width: number; height: number };
type Upng = {
	decode(png: Buffer): Image;
	toRGBA8(image: Image): ArrayBuffer[];
	encode(
		frames: ArrayBuffer[],
		width: number,
		height: number,
		colors: 0,
		ms: number[],
	): ArrayBuffer;
};

/** One picture (APNG) that shows these in turn, and begins again at its end. Each keeps its pixels. */
async function makeMoving(frames: Buffer[]): Promise<Buffer> {
	const installed = await providePackage(root, 'upng-js@2.1.0');
	const upng = createRequire(import.meta.url)(join(installed, 'upng-js')) as Upng;
	const decoded = frames.map((frame) => upng.decode(frame));
	const [{ width, height }] = decoded;
	if (decoded.some((image) => image.width !== width || image.height !== height))
		throw new Error('The images that shall move differ in size');
	const pixels = decoded.flatMap((image) => upng.toRGBA8(image));
	const pauses = frames.map(() => msEach);
	return Buffer.from(upng.encode(pixels, width, height, 0, pauses));
}
