import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { release } from '../../../tools/release/release.mts';
import { checkVerification } from '../../../tools/release/verification.mts';
import { removeFolder } from '../../../tools/temporary.mts';
import { copyRepository, type Git } from '../../repositoryCopy.mts';

/** What a release reads. */
const files =
	/^([^/]+\.(md|mjs|json)|LICENSE|tools\/publish\.mts|\.github\/.*|examples\/.*|(nodes|credentials)\/.*\.(node|credentials)\.ts)$/;

let folder: string;
let git: Git;
let printed: string;
beforeEach(() => {
	({ folder, git } = copyRepository(files));
	describeChanges('0.2.0');
	printed = '';
	jest.spyOn(console, 'log').mockImplementation((text: string) => void (printed += text));
});
afterEach(() => {
	jest.restoreAllMocks();
	removeFolder(folder);
});

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const today = () => new Date().toISOString().slice(0, 10);
const pass = async () => await Promise.resolve(true);

/** A changelog with one version that is not released, whatever this repository's own has. */
function describeChanges(unreleased: string, entries = '- Something new\n'): void {
	change('CHANGELOG.md', () =>
		[
			'# Changelog',
			`## [${unreleased}] - Unreleased`,
			entries,
			'## [0.1.0] - 2026-11-20',
			'- The beginning\n',
		].join('\n\n'),
	);
	change('package.json', (text) => text.replace(/"version": ".*"/, `"version": "${unreleased}"`));
}

/** Changes a file, and commits that. */
function change(path: string, edit: (text: string) => string): void {
	writeFileSync(join(folder, path), edit(read(path)));
	git('commit', '--quiet', '--allow-empty', '--all', '--message', `Change ${path}`);
}

/** Rejects with the message, with everything left as it was. */
async function expectRefusal(version: string, message: string, test = pass): Promise<void> {
	const before = [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')];
	await expect(release(folder, version, test)).rejects.toThrow(message);
	expect([git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')]).toEqual(before);
}

test('the first release dates the changelog, keeps the version, commits, tags and pushes nothing', async () => {
	const tested: string[] = [];
	const push = await release(folder, '0.2.0', async () => {
		tested.push(read('CHANGELOG.md'), read('package.json'));
		return await pass();
	});
	expect(push).toBe('git push --atomic origin main v0.2.0');
	expect(read('CHANGELOG.md')).toContain(`## [0.2.0] - ${today()}\n\n- Something new`);
	expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' });
	// What was tested is what is tagged.
	expect(tested).toEqual([
		`${git('show', 'v0.2.0:CHANGELOG.md')}\n`,
		`${git('show', 'v0.2.0:package.json')}\n`,
	]);
	expect(git('show', '--no-patch', '--format=%s', 'v0.2.0^{commit}')).toBe('Release 0.2.0');
	expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'main'));
	expect(git('status', '--porcelain')).toBe('');
	expect(printed).toContain('The MIT license');
});

test('a release with another version than expected sets it in both files', async () => {
	git('tag', 'v0.1.0');
	git('tag', 'v0.1.9');
	await release(folder, '0.10.0', pass);
	expect(git('show', 'v0.10.0:package.json')).toContain('"version": "0.10.0"');
	expect(git('show', 'v0.10.0:CHANGELOG.md')).toContain(`## [0.10.0] - ${today()}`);
});

test.each(['', 'v0.2.0', '0.2', '0.02.0', '0.2.0-beta.1', 'next'])(
	'refuses "%s", which is no version to release',
	async (version) => await expectRefusal(version, 'npm run release -- 0.2.0'),
);

test('refuses a version that exists or is older, in the changelog or as a tag', async () => {
	await expectRefusal('0.1.0', '0.1.0 is not newer than v0.1.0.');
	git('tag', 'v0.10.0');
	await expectRefusal('0.10.0', '0.10.0 is not newer than v0.10.0.');
	await expectRefusal('0.9.0', '0.9.0 is not newer than v0.10.0.');
});

test('considers only released versions, and compares them as numbers', async () => {
	for (const tag of ['v0.3.0-rc.1', 'v1', 'vendor', 'v0.2.9']) git('tag', tag);
	await expectRefusal('0.2.9', '0.2.9 is not newer than v0.2.9.');
	await release(folder, '0.2.10', pass);
});

test('refuses a version that was described and never published', async () => {
	change('CHANGELOG.md', (text) => text.replace('2026-11-20', 'Not published'));
	await expectRefusal('0.1.0', '0.1.0 is not newer than v0.1.0.');
});

test('refuses without a name to commit under, before the tests', async () => {
	git('config', 'user.name', '');
	const test = jest.fn(pass);
	await expectRefusal('0.2.0', 'git var failed', test);
	expect(test).not.toHaveBeenCalled();
});

test('refuses uncommitted changes', async () => {
	writeFileSync(join(folder, 'nodes/new.ts'), '');
	await expectRefusal('0.2.0', 'There are uncommitted changes:\n?? nodes/new.ts');
});

test('refuses another branch than main', async () => {
	git('switch', '--quiet', '--create', 'feature');
	await expectRefusal('0.2.0', 'Releases are made on main, not on feature.');
});

test('refuses a changelog without anything that is not released', async () => {
	describeChanges('0.2.0', '');
	await expectRefusal('0.2.0', 'CHANGELOG.md has no entries');
	change('CHANGELOG.md', (text) => text.replace('Unreleased', '2026-11-21'));
	await expectRefusal('0.3.0', 'CHANGELOG.md has no entries');
});

test('failing tests leave everything as it was', async () => {
	await expectRefusal('0.3.0', 'The tests failed', async () => await Promise.resolve(false));
});

test('a tag that cannot be signed leaves everything as it was, and the next attempt succeeds', async () => {
	git('config', 'gpg.program', 'false');
	git('config', 'tag.gpgSign', 'true');
	await expectRefusal('0.3.0', 'git tag failed');
	git('config', 'tag.gpgSign', 'false');
	await release(folder, '0.3.0', pass);
	expect(git('log', '--format=%s', 'v0.3.0', '-2')).toBe('Release 0.3.0\nChange package.json');
});

const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
const duringTests: Array<[what: string, act: () => void, left: string[]]> = [
	['a commit', () => git('commit', '--allow-empty', '--message', 'Another'), []],
	['another branch', () => git('switch', '--quiet', '--create', 'feature'), []],
	['a new file', () => write('new.md', 'New\n'), ['?? new.md']],
	['an edit', () => write('README.md', 'Edited\n'), ['M README.md']],
	[
		'an edit of the changelog',
		() => write('CHANGELOG.md', read('CHANGELOG.md').replace('- Something new', '- Edited')),
		['M CHANGELOG.md'],
	],
	[
		'an edit of package.json',
		() => write('package.json', read('package.json').replace('"license": "MIT"', '"license": "x"')),
		['M package.json'],
	],
];
test.each(duringTests)('refuses %s during the tests, and keeps it', async (_, act, left) => {
	let commit = '';
	let branch = '';
	let edited = '';
	const attempt = release(folder, '0.3.0', async () => {
		act();
		commit = git('rev-parse', 'HEAD');
		branch = git('branch', '--show-current');
		edited = read('CHANGELOG.md') + read('package.json');
		return await pass();
	});
	await expect(attempt).rejects.toThrow('changed during the tests');
	expect([git('rev-parse', 'HEAD'), git('branch', '--show-current')]).toEqual([commit, branch]);
	expect(git('tag')).toBe('');
	expect(git('status', '--porcelain').split('\n').filter(Boolean)).toEqual(left);
	// Only the lines of the release are gone.
	expect(read('CHANGELOG.md') + read('package.json')).toBe(
		edited
			.replace(`## [0.3.0] - ${today()}`, '## [0.2.0] - Unreleased')
			.replace('"version": "0.3.0"', '"version": "0.2.0"'),
	);
});

test('failing tests keep an edit that was made while they ran', async () => {
	const attempt = release(folder, '0.3.0', async () => {
		write('CHANGELOG.md', read('CHANGELOG.md').replace('- Something new', '- Edited'));
		return await Promise.resolve(false);
	});
	await expect(attempt).rejects.toThrow('The tests failed');
	expect(read('CHANGELOG.md')).toContain('## [0.2.0] - Unreleased\n\n- Edited\n');
});

test('everything that n8n asks for is met, tested, or named for the person who releases', () => {
	const states = checkVerification(folder).map(({ state }) => state);
	expect(new Set(states)).toEqual(new Set(['met', 'tested', 'for you']));
});

const withoutTests = (text: string): string =>
	text.replace(/uses: .*ci\.yml/, 'runs-on: ubuntu-latest\n    steps:\n      - run: echo');
const withEveryResult = (text: string): string =>
	text.replace('needs: test', 'needs: test\n    if: always()');
const lapses: Array<[asked: string, path: string, edit: (text: string) => string]> = [
	['A name', 'package.json', (text) => text.replace('"n8n-community-node-package",', '')],
	['All nodes', 'package.json', (text) => text.replace(/,\s+"dist\/nodes\/.*Trigger.node.js"/, '')],
	["n8n's own tool", 'eslint.config.mjs', (text) => `${text}// changed\n`],
	['The MIT license', 'LICENSE', (text) => text.replace('MIT', 'ISC')],
	['No runtime', 'package.json', (text) => text.replace('devDependencies', 'dependencies')],
	['One repository', 'package.json', (text) => text.replace('#readme', '/wiki')],
	['An author', 'package.json', (text) => text.replace(/"email": ".*"/, '"email": ""')],
	['provenance', '.github/workflows/publish.yml', (text) => text.replace('id-token: write', '')],
	['after all tests', '.github/workflows/publish.yml', withoutTests],
	['after all tests', '.github/workflows/publish.yml', withEveryResult],
	['provenance', 'tools/publish.mts', (text) => text.replace('--provenance', '--tag')],
	['A README', 'README.md', (text) => text.replace('## Credential', '## Secrets')],
	['a template left', 'SECURITY.md', (text) => `${text}Write to your-name@example.com\n`],
];
test.each(lapses)('refuses a lapse of "%s" in %s', async (asked, path, edit) => {
	change(path, edit);
	await expectRefusal('0.2.0', asked);
});
