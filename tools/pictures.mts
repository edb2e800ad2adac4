import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { Frame } from '../test/browser/film.mts';
import { runJest } from './jest.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';

/** The browser tests that take the pictures of the documentation. */
const tests = ['agent', 'credential', 'firstWorkflow', 'form', 'lists', 'polling', 'trigger'];
/** The pictures, by the names of their screenshots. */
const pictures = [
	'agent',
	'credential',
	'error-output',
	'form-execution',
	'polling-trigger',
	'subscription',
];
const films = ['first-workflow'];

const screenshots = join(root, '.cache/screenshots');

await runToEnd(async () => {
	rmSync(screenshots, { recursive: true, force: true });
	const inN8n = ['--runInBand', '--testTimeout=180000'];
	const paths = tests.map((name) => `browser/${name}.test`);
	const { failed, skipped } = await runJest(['browser'], [...inN8n, '--', ...paths]);
	if (failed + skipped > 0) return 1;
	for (const name of pictures) await savePicture(name);
	for (const name of films) await saveFilm(name);
	return 0;
});

/** With 256 colors, a picture takes a third of the space. */
async function savePicture(name: string): Promise<void> {
	const picture = sharp(join(screenshots, `${name}.png`)).png({ palette: true, effort: 10 });
	await save(picture, `${name}.png`);
}

/** WebP takes half the space of a GIF, and keeps every color. */
async function saveFilm(name: string): Promise<void> {
	const read = readFileSync(join(screenshots, name, 'frames.json'), 'utf8');
	const frames = JSON.parse(read) as Frame[];
	const film = sharp(
		frames.map(({ file }) => join(screenshots, name, file)),
		{ join: { animated: true } },
	).webp({ lossless: true, effort: 6, delay: frames.map(({ seconds }) => seconds * 1000) });
	await save(film, `${name}.webp`);
}

async function save(picture: Sharp, file: string): Promise<void> {
	const path = `docs/images/${file}`;
	const { size } = await picture.toFile(join(root, path));
	console.log(`Retook ${path} (${Math.round(size / 1024)} kB)`);
}
