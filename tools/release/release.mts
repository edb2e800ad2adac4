import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from '../lifetime.mts';
import { CommandError } from '../setup/commandError.mjs';
import { formatTable } from '../table.mts';
import { checkVerification } from './verification.mts';

const changed = ['package.json', 'CHANGELOG.md'];
const unreleased = /^## \[[^\]]+\] - Unreleased$/m;

/**
 * Makes the commit and the tag of a release in a clone of the repository, and pushes nothing. `test` returns whether
 * everything passes with the files that will be published. If it does not, they are as before.
 * @returns the command that publishes it
 */
export async function release(
	folder: string,
	version: string,
	test: () => Promise<boolean>,
): Promise<string> {
	const git = (...args: string[]): string =>
		execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
	const restore = (): void => void git('checkout', '--quiet', '--', ...changed);

	refuseUnlessReady(folder, version, git);
	const forget = atEnd(restore);
	try {
		writeVersion(folder, version);
		refuseUnlessVerifiable(folder);
		if (!(await test())) throw new CommandError('The tests failed: nothing is released.');
		git('commit', '--quiet', '--message', `Release ${version}`, '--', ...changed);
		git('tag', '--annotate', '--message', version, `v${version}`);
	} catch (error) {
		restore();
		throw error;
	} finally {
		forget();
	}
	return `git push --atomic origin main v${version}`;
}

type Git = (...args: string[]) => string;

function refuseUnlessReady(folder: string, version: string, git: Git): void {
	if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) {
		throw new CommandError(`Name the version to release, such as 0.2.0: npm run release -- 0.2.0`);
	}
	const branch = git('branch', '--show-current');
	if (branch !== 'main') throw new CommandError(`Releases are made on main, not on ${branch}.`);
	const status = git('status', '--porcelain');
	if (status) throw new CommandError(`There are uncommitted changes:\n${status}`);

	const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
	const [, entries = ''] = changelog.split(unreleased);
	if (!/^- /m.test(entries.split(/^## /m)[0] ?? '')) {
		throw new CommandError('CHANGELOG.md has no entries under "## [version] - Unreleased".');
	}
	const dated = [...changelog.matchAll(/^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$/gm)].map(([, v]) => v);
	const tagged = git('tag', '--list', 'v*').split('\n').filter(Boolean);
	for (const earlier of [...dated.map((each) => `v${each}`), ...tagged]) {
		if (compare(version, earlier.slice(1)) <= 0) {
			throw new CommandError(`${version} is not newer than ${earlier}.`);
		}
	}
}

function compare(one: string, other: string): number {
	return one.localeCompare(other, 'en', { numeric: true });
}

function writeVersion(folder: string, version: string): void {
	const today = new Date().toISOString().slice(0, 10);
	replaceIn(join(folder, 'CHANGELOG.md'), unreleased, `## [${version}] - ${today}`);
	replaceIn(join(folder, 'package.json'), /^\t"version": ".*"/m, `\t"version": "${version}"`);
}

function replaceIn(path: string, pattern: RegExp, text: string): void {
	writeFileSync(path, readFileSync(path, 'utf8').replace(pattern, text));
}

/** Prints what n8n asks for, and where the package meets it. */
function refuseUnlessVerifiable(folder: string): void {
	const findings = checkVerification(folder);
	const rows = findings.map(({ asked, met, state }) => [asked, state, met]);
	console.log(`\n${formatTable(["n8n's verification asks for", 'state', 'where'], rows)}\n`);
	const missing = findings.filter(({ state }) => state === 'NOT MET');
	if (missing.length === 0) return;
	const names = missing.map(({ asked, met }) => `- ${asked} (${met})`);
	throw new CommandError(`n8n would not verify this package:\n${names.join('\n')}`);
}
