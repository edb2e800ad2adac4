import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { unpackInto } from '../../tools/package.mts';
import { root } from '../../tools/root.mts';
import { makeTemporaryFolder, removeFolder } from '../../tools/temporary.mts';
import { givenToTests } from '../n8n/instances.mts';

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

/** Loads a built file, and returns the names of what it makes with it. */
function load(path: string): string[] {
	const script = `const made = Object.values(require(${JSON.stringify(join(dist, path))})).map((Type) => new Type());
		console.log(JSON.stringify(made.map(({ name, description }) => name ?? description.name)));`;
	return JSON.parse(execFileSync(process.execPath, ['--eval', script], { encoding: 'utf8' }));
}

test("every built file loads with this n8n's n8n-workflow", () => {
	const built = readdirSync(join(dist, 'dist'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.js'))
		.map((path) => relative(dist, join(dist, 'dist', path)));
	expect(built.sort()).toEqual([...n8n.nodes, ...n8n.credentials].sort());
	for (const path of built) expect(load(path)).toEqual([expect.stringMatching(/^pageAudience/)]);
});
