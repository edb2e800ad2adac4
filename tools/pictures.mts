import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { makeMoving } from './moving.mts';
import { root } from './root.mts';

// npm run pictures: takes the pictures of the documentation in n8n's editor. The tests in test/browser photograph what they
// show, and those whose names are in docs/images go there. Several with one name and a number become one that moves.

const images = join(root, 'docs/images');
const taken = join(root, '.cache/screenshots');
const names = readdirSync(images);
const secondsEach = 3;

/** Of a picture, or of each of its frames. */
const findFiles = (name: string): string[] => {
	const file = join(taken, name);
	return existsSync(file) ? [file] : globSync(file.replace('.png', '-[1-9].png')).sort();
};

await runToEnd(async () => {
	for (const name of names) for (const file of findFiles(name)) rmSync(file);
	const succeeded = await runNode('node_modules/jest/bin/jest.js', '--selectProjects', 'browser');
	for (const name of names) {
		const taken = findFiles(name).map((file) => readFileSync(file));
		if (taken.length === 0) console.error(`No test photographs ${basename(name)}`);
		else
			writeFileSync(
				join(images, name),
				taken.length > 1 ? makeMoving(taken, secondsEach) : taken[0],
			);
	}
	const isWhole = names.every((name) => findFiles(name).length > 0);
	return succeeded && isWhole ? 0 : 1;
});
