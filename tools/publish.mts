import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './command.mts';
import { Failure, runToEnd } from './lifetime.mts';
import { packPackage } from './package.mts';
import { root } from './root.mts';

// Publishes the tarball that the tests have run with: `packPackage` gives out the same file for the same source.
await runToEnd(async () => {
	const [tag] = process.argv.slice(2);
	const { name, version } = readManifest();
	if (tag !== `v${version}`)
		throw new Failure(`The tag is ${tag}, but package.json says ${version}`);
	if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`## [${version}]`)) {
		throw new Failure(`CHANGELOG.md has no section [${version}]`);
	}
	const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
	if (changed) throw new Failure(`What is here is not what was committed:\n${changed}`);

	const { tarball, fresh } = await packPackage();
	if (fresh) throw new Failure('This source was not tested here: run npm test first');
	const tested = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
	await npm('publish', tarball, '--provenance', '--access', 'public');
	const published = (await npm('view', `${name}@${version}`, 'dist.integrity')).trim();
	if (published !== tested) {
		throw new Failure(`What is published (${published}) is not what was tested (${tested})`);
	}
	console.log(`${name} ${version} is published, and is what was tested`);
	return 0;
});

function readManifest(): { name: string; version: string } {
	return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
	};
}

async function npm(...args: string[]): Promise<string> {
	const { code, output } = await runNpm(args);
	if (code !== 0) throw new Failure(`npm ${args[0]} ended with exit code ${code}:\n\n${output}`);
	return output;
}
