import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { release } from '../../tools/release/release.mts';
import { root } from '../../tools/root.mts';
import { removeFolder } from '../../tools/temporary.mts';
import { type LocalServer, serve } from '../localServer.mts';
import { copyRepository, type Git } from '../repositoryCopy.mts';

// The last step of .github/workflows/publish.yml, as far as it goes without an account.

const run = promisify(execFile);
const repository = 'n8n-nodes-page-audience/n8n-nodes-page-audience';
/** npm, without a registry: it notes how it is called, and says which tarball it would publish. */
const noNpm = `const { createHash } = require('node:crypto');
const { appendFileSync, readFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === 'config') return console.log('https://npm.example/');
const token = process.env['npm_config_//npm.example/:_authToken'];
appendFileSync(process.env.CALLS, JSON.stringify({ args, token }) + '\\n');
const tarball = readFileSync(process.env.OTHER_TARBALL ?? args[1]);
const integrity = 'sha512-' + createHash('sha512').update(tarball).digest('base64');
console.log(JSON.stringify({ integrity }, null, 2));`;

let folder: string;
let git: Git;
let registry: LocalServer;
let requests: string[];
let tarball: string;

beforeAll(async () => {
	({ folder, git } = copyRepository(/^(?!(test|docs|bench|sandbox)\/)/));
	requests = [];
	registry = await serve(({ method, path }) => {
		requests.push(`${method} ${path}`);
		return { status: 404, body: '{}' };
	});
	const changelog = join(folder, 'CHANGELOG.md');
	const text = readFileSync(changelog, 'utf8');
	writeFileSync(changelog, text.replace(/^## /m, '## [9.9.9] - Unreleased\n\n- New\n\n## '));
	git('commit', '--quiet', '--all', '--message', 'Describe a version to release');
	const installed = join(folder, 'node_modules');
	symlinkSync(join(root, 'node_modules'), installed);
	// The list of what n8n asks for.
	jest.spyOn(console, 'log').mockImplementation(() => {});
	await release(folder, '9.9.9', async () => {
		await runNode(['tools/test.mts', 'build']);
		return true;
	});
	jest.restoreAllMocks();
	// The job that publishes installs nothing.
	rmSync(installed);
	const packed = join(folder, '.cache/package');
	const [made] = readdirSync(packed).filter((name) => /^[0-9a-f]+$/.test(name));
	tarball = join(packed, made ?? '', 'n8n-nodes-page-audience.tgz');
}, 300_000);
afterAll(() => {
	registry.close();
	removeFolder(folder);
});

async function runNode(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
	const inherited = { ...process.env };
	for (const name of ['GITHUB_REPOSITORY', 'NPM_TOKEN', 'npm_execpath']) delete inherited[name];
	const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
	const given = { ...inherited, PATH, npm_config_registry: registry.url, ...env };
	return (await run(process.execPath, args, { cwd: folder, env: given })).stdout;
}

const publish = async (args: string[], env: NodeJS.ProcessEnv = {}) =>
	await runNode(['tools/publish.mts', ...args], { GITHUB_REPOSITORY: repository, ...env });

/** With npm replaced. Gives its calls. */
async function publishWithoutNpm(env: NodeJS.ProcessEnv = {}): Promise<unknown[]> {
	const npm = join(folder, '.cache/npm-cli.js');
	const calls = join(folder, '.cache/calls');
	rmSync(calls, { force: true });
	writeFileSync(npm, noNpm);
	await publish(['v9.9.9'], { npm_execpath: npm, CALLS: calls, ...env });
	const lines = readFileSync(calls, 'utf8').trim().split('\n');
	return lines.map((line) => JSON.parse(line) as unknown);
}

test('npm would publish exactly the tarball that was tested', async () => {
	const said = await publish(['v9.9.9', '--dry-run']);
	expect(said).toContain('npm would publish n8n-nodes-page-audience 9.9.9, identical');
	// npm looks for earlier versions, once or twice, and sends nothing.
	expect(new Set(requests)).toEqual(new Set(['GET /n8n-nodes-page-audience']));
});

test('publishes that tarball with provenance, after a rehearsal, and with no token', async () => {
	const args = ['publish', tarball, '--provenance', '--access', 'public', '--json'];
	expect(await publishWithoutNpm()).toEqual([{ args: [...args, '--dry-run'] }, { args }]);
	expect(await publishWithoutNpm({ NPM_TOKEN: '' })).toMatchObject([{}, { args }]);
});

test('the first version may use a token, which npm gets only to publish', async () => {
	const [rehearsal, real] = await publishWithoutNpm({ NPM_TOKEN: 'npm_first' });
	expect(rehearsal).not.toHaveProperty('token');
	expect(real).toHaveProperty('token', 'npm_first');
});

test('publishes nothing if npm has another tarball', async () => {
	const other = { OTHER_TARBALL: join(folder, 'LICENSE') };
	await expect(publishWithoutNpm(other)).rejects.toThrow(/npm would publish .* was tested/);
	const calls = readFileSync(join(folder, '.cache/calls'), 'utf8').trim().split('\n');
	expect(calls).toHaveLength(1);
});

test('refuses another tag, another repository, changes, and a source that was not tested', async () => {
	await expect(publish(['v9.9.8', '--dry-run'])).rejects.toThrow(
		'The tag is v9.9.8, but the version in package.json is 9.9.9',
	);
	await expect(
		publish(['v9.9.9', '--dry-run'], { GITHUB_REPOSITORY: 'somebody/fork' }),
	).rejects.toThrow(/names the repository .*, but this is somebody\/fork/);
	writeFileSync(join(folder, 'nodes/new.ts'), '');
	await expect(publish(['v9.9.9', '--dry-run'])).rejects.toThrow('There are uncommitted changes');
	rmSync(join(folder, 'nodes/new.ts'));
	const changelog = join(folder, 'CHANGELOG.md');
	const dated = readFileSync(changelog, 'utf8');
	writeFileSync(changelog, dated.replace(/(9\.9\.9\] - ).*/, '$1Unreleased'));
	git('commit', '--quiet', '--all', '--message', 'Forget the date');
	await expect(publish(['v9.9.9', '--dry-run'])).rejects.toThrow('has no dated section');
	writeFileSync(changelog, `${dated}- Added after the tests\n`);
	git('commit', '--quiet', '--all', '--message', 'Change what is published');
	await expect(publish(['v9.9.9', '--dry-run'])).rejects.toThrow('was not tested here');
});
