import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { packPackage } from './package.mts';
import { root } from './root.mts';
import { CommandError } from './setup/commandError.mjs';

// Publishes the tarball that was tested: `packPackage` returns the same file for the same source.
await runToEnd(async () => {
	const [tag] = process.argv.slice(2);
	const { name, version } = readManifest();
	if (tag !== `v${version}`)
		throw new CommandError(`The tag is ${tag}, but the version in package.json is ${version}`);
	const lines = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('\n');
	const heading = lines.find((line) => line.startsWith(`## [${version}] - `)) ?? '';
	if (!/\d{4}-\d\d-\d\d$/.test(heading)) {
		throw new CommandError(`CHANGELOG.md has no dated section: ## [${version}] - YYYY-MM-DD`);
	}
	const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
	if (changed) throw new CommandError(`There are uncommitted changes:\n${changed}`);

	const { tarball, fresh } = await packPackage();
	if (fresh) throw new CommandError('This source was not tested here. Run npm test first.');
	const tested = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
	await runNpm('publish', tarball, '--provenance', '--access', 'public');
	const published = (await runNpm('view', `${name}@${version}`, 'dist.integrity')).trim();
	if (published !== tested) {
		throw new CommandError(
			`The published package (${published}) differs from the tested one (${tested})`,
		);
	}
	console.log(`${name} ${version} is published, identical to the tested package`);
	return 0;
});

function readManifest(): { name: string; version: string } {
	return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
	};
}
