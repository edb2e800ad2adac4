import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from '../lifetime.mts';
import { CommandError } from '../setup/commandError.mjs';
import { formatTable } from '../table.mts';
import { checkVerification } from './verification.mts';

/** A line of a file, before the release and in it. */
type Edit = { path: string; before: string; after: string };
type Git = (...args: string[]) => string;

const released = /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/;
const unreleased = /^## \[[^\]]+\] - Unreleased$/m;

/**
 * Makes the commit and the tag of a release in a clone of the repository, and pushes nothing. `test` returns whether
 * everything passes with the files that will be published. Whatever fails, the branch and both files are as before.
 * @returns the command that publishes it
 */
export async function release(
	folder: string,
	version: string,
	test: () => Promise<boolean>,
): Promise<string> {
	const git = openGit(folder);
	refuseUnlessReady(folder, version, git);
	const edits = planEdits(folder, version);
	// A person may have edited the files in the meantime: only these lines are put back.
	const restore = (): void => {
		for (const { path, before, after } of edits) replaceIn(path, after, before);
	};
	const forget = atEnd(restore);
	try {
		for (const { path, before, after } of edits) replaceIn(path, before, after);
		refuseUnlessVerifiable(folder);
		const tested = describeState(git);
		if (!(await test())) throw new CommandError('The tests failed: nothing is released.');
		if (describeState(git) !== tested) {
			throw new CommandError(
				'A file, a commit or the branch changed during the tests: nothing is released, and the change is kept.',
			);
		}
		commitAndTag(version, git);
	} catch (error) {
		restore();
		throw error;
	} finally {
		forget();
	}
	return `git push --atomic origin main v${version}`;
}

function openGit(folder: string): Git {
	return (...args) => {
		const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
		if (status !== 0) throw new CommandError(`git ${args[0]} failed:\n\n${stderr}`);
		return stdout.trim();
	};
}

function refuseUnlessReady(folder: string, version: string, git: Git): void {
	if (!released.test(version)) {
		throw new CommandError(`Name the version to release, such as 0.2.0: npm run release -- 0.2.0`);
	}
	const branch = git('branch', '--show-current');
	if (branch !== 'main') throw new CommandError(`Releases are made on main, not on ${branch}.`);
	const status = git('status', '--porcelain');
	if (status) throw new CommandError(`There are uncommitted changes:\n${status}`);
	// Fails if git does not know who commits.
	git('var', 'GIT_COMMITTER_IDENT');

	const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
	const [, entries = ''] = changelog.split(unreleased);
	if (!/^- /m.test(entries.split(/^## /m)[0] ?? '')) {
		throw new CommandError('CHANGELOG.md has no entries under "## [version] - Unreleased".');
	}
	const described = [...changelog.matchAll(/^## \[(.+)\] - (?!Unreleased$)/gm)].map(([, v]) => v);
	const tagged = git('tag', '--list', 'v*').split('\n');
	for (const earlier of [...described, ...tagged.map((tag) => tag.slice(1))]) {
		if (released.test(earlier) && compare(version, earlier) <= 0) {
			throw new CommandError(`${version} is not newer than v${earlier}.`);
		}
	}
}

function compare(one: string, other: string): number {
	return one.localeCompare(other, 'en', { numeric: true });
}

function planEdits(folder: string, version: string): Edit[] {
	const today = new Date().toISOString().slice(0, 10);
	const plan = (file: string, line: RegExp, after: string): Edit => {
		const path = join(folder, file);
		const [before = ''] = line.exec(readFileSync(path, 'utf8')) ?? [];
		return { path, before, after };
	};
	return [
		plan('CHANGELOG.md', unreleased, `## [${version}] - ${today}`),
		plan('package.json', /^\t"version": ".*"/m, `\t"version": "${version}"`),
	];
}

function replaceIn(path: string, text: string, replacement: string): void {
	writeFileSync(path, readFileSync(path, 'utf8').replace(text, replacement));
}

/** Where a commit would go, and everything that it would change. */
function describeState(git: Git): string {
	return [
		git('branch', '--show-current'),
		git('rev-parse', 'HEAD'),
		git('status', '--porcelain'),
		git('diff', '--no-ext-diff', 'HEAD'),
	].join('\n');
}

/** If it fails, the branch is where it was. The files keep what the commit would have held. */
function commitAndTag(version: string, git: Git): void {
	const start = git('rev-parse', 'HEAD');
	try {
		git('commit', '--quiet', '--all', '--message', `Release ${version}`);
		git('tag', '--annotate', '--message', version, `v${version}`);
	} catch (error) {
		git('reset', '--quiet', start);
		throw error;
	}
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
