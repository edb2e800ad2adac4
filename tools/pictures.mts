import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';

// npm run pictures: takes the pictures of the documentation in n8n's editor. The tests in test/browser photograph what they
// show, and those whose names are in docs/images go there.

const images = join(root, 'docs/images');
const taken = join(root, '.cache/screenshots');
const names = readdirSync(images);

await runToEnd(async () => {
	for (const name of names) rmSync(join(taken, name), { force: true });
	const succeeded = await runNode('node_modules/jest/bin/jest.js', '--selectProjects', 'browser');
	const missing = names.filter((name) => !existsSync(join(taken, name)));
	for (const name of names.filter((each) => !missing.includes(each)))
		copyFileSync(join(taken, name), join(images, name));
	if (missing.length > 0) console.error(`No test photographs ${missing.join(', ')}`);
	return succeeded && missing.length === 0 ? 0 : 1;
});
