import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runNpm } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { findPackage } from './package.mts';
import { root } from './root.mts';
import { CommandError } from './setup/commandError.mjs';

type Manifest = { name: string; version: string; repository: { url: string } };

// Publishes the tarball that was tested, which belongs to this very source. With --dry-run, it does all of that without
// an account, and npm sends nothing.
await runToEnd(async () => {
	const { positionals, values } = parseArgs({
		allowPositionals: true,
		options: { 'dry-run': { type: 'boolean', default: false } },
	});
	const { name, version, repository } = readManifest();
	const [tag] = positionals;
	if (tag !== `v${version}`)
		throw new CommandError(`The tag is ${tag}, but the version in package.json is ${version}`);
	refuseOtherRepository(repository.url);
	const lines = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('\n');
	const heading = lines.find((line) => line.startsWith(`## [${version}] - `)) ?? '';
	if (!/\d{4}-\d\d-\d\d$/.test(heading)) {
		throw new CommandError(`CHANGELOG.md has no dated section: ## [${version}] - YYYY-MM-DD`);
	}
	const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
	if (changed) throw new CommandError(`There are uncommitted changes:\n${changed}`);

	const tarball = findPackage();
	if (!tarball) throw new CommandError('This source was not tested here. Run npm test first.');
	const publish = ['publish', tarball, '--provenance', '--access', 'public', '--json'];
	const rehearsed = readIntegrity(await runNpm(...publish, '--dry-run'));
	const tested = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
	if (rehearsed !== tested) {
		throw new CommandError(`npm would publish ${rehearsed}, but ${tested} was tested`);
	}
	if (values['dry-run']) {
		console.log(`npm would publish ${name} ${version}, identical to the tested package`);
		return 0;
	}
	await useToken();
	await runNpm(...publish);
	console.log(`${name} ${version} is published, identical to the tested package`);
	return 0;
});

function readManifest(): Manifest {
	return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}

/** npm takes provenance only from the repository that package.json names. */
function refuseOtherRepository(url: string): void {
	const { GITHUB_REPOSITORY: running } = process.env;
	if (running === undefined || url === `git+https://github.com/${running}.git`) return;
	throw new CommandError(`package.json names the repository ${url}, but this is ${running}`);
}

function readIntegrity(json: string): string | undefined {
	return /"integrity": "([^"]+)"/.exec(json)?.[1];
}

/** npm can trust this workflow only after the package exists, so its first version needs a token. */
async function useToken(): Promise<void> {
	const { NPM_TOKEN: token } = process.env;
	if (!token) return;
	const registry = (await runNpm('config', 'get', 'registry')).trim();
	process.env[`npm_config_${registry.replace(/^https?:/, '')}:_authToken`] = token;
	console.log('Publishes with NPM_TOKEN. Let npm trust this workflow, then delete the secret.');
}
