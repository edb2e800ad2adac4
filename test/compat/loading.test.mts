import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { nodeFor } from '../../tools/n8n/release.mts';
import { unpackInto } from '../../tools/package.mts';
import { root } from '../../tools/root.mts';
import { makeTemporaryFolder, removeFolder } from '../../tools/temporary.mts';
import { givenToTests } from '../n8n/instances.mts';
import { nodeVersions } from './releases.mts';

const name = 'n8n-nodes-page-audience';
const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[]; credentials: string[] };
};

let folder: string;
let dist: string;
beforeAll(() => {
	folder = makeTemporaryFolder();
	unpackInto(givenToTests().tarball, join(folder, 'node_modules', name));
	dist = join(folder, 'node_modules', name);
	// The one that n8n itself uses stands beside it.
	const own = join(realpathSync(join(givenToTests().release.program, '../..')), '../n8n-workflow');
	mkdirSync(join(folder, 'node_modules'), { recursive: true });
	symlinkSync(own, join(folder, 'node_modules/n8n-workflow'));
});
afterAll(() => removeFolder(folder));

/** Loads a built file with the Node of this release, and returns what it makes with it. */
function load(path: string): { node: string; names: string[] } {
	const script = `const made = Object.values(require(${JSON.stringify(join(dist, path))})).map((Type) => new Type());
		const names = made.map(({ name, description }) => name ?? description.name);
		console.log(JSON.stringify({ node: process.versions.node, names }));`;
	const output = execFileSync(givenToTests().release.node, ['--eval', script], {
		encoding: 'utf8',
	});
	return JSON.parse(output) as { node: string; names: string[] };
}

/** The major version that the tested release must run on. */
function nodeOfTested(): number {
	const folder = join(givenToTests().release.program, '../../../..');
	return nodeVersions[basename(folder)] ?? nodeFor(folder);
}

test('every built file loads on the Node of this n8n', () => {
	const built = readdirSync(join(dist, 'dist'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.js'))
		.map((path) => relative(dist, join(dist, 'dist', path)));
	expect(built.sort()).toEqual([...n8n.nodes, ...n8n.credentials].sort());
	for (const path of built) {
		const { node, names } = load(path);
		expect(Number(node.split('.')[0])).toBe(nodeOfTested());
		expect(names).toEqual([expect.stringMatching(/^pageAudience/)]);
	}
});
