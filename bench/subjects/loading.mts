import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { atEnd } from '../../tools/lifetime.mts';
import { unpackInto } from '../../tools/package.mts';
import { root } from '../../tools/root.mts';
import type { Lab } from '../lab.mts';
import type { Side, Subject } from '../subject.mts';

type PackageJson = { n8n: { credentials: string[]; nodes: string[] } };

// n8n's dependencies are next to the folder that the link points to.
const n8nFolder = realpathSync(join(root, 'tools/n8n/node_modules/n8n'));
const n8nRequire = createRequire(join(n8nFolder, 'package.json'));

/** The time a fresh Node process takes to load the packed node files, without n8n-workflow. */
export async function loading({ tarball }: Lab): Promise<Subject> {
	const folder = mkdtempSync(join(tmpdir(), 'page-audience-loading-'));
	atEnd(() => rmSync(folder, { recursive: true, force: true }));
	unpackInto(tarball, folder);
	const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;
	const own = [...n8n.nodes, ...n8n.credentials].map((file) => join(folder, file));
	const httpRequest = n8nRequire.resolve(
		'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
	);
	return {
		title: 'Loading the node files',
		unit: 'ms',
		sides: [
			loadSide(`All ${own.length} files of this package`, own),
			loadSide('The file of the HTTP Request node', [httpRequest]),
		],
		goals: [],
	};
}

function loadSide(name: string, files: string[]): Side {
	return {
		name,
		run: () => {
			const program = join(import.meta.dirname, '../loadFiles.mts');
			const output = execFileSync(process.execPath, [program, ...files], {
				encoding: 'utf8',
				// Community packages find n8n-workflow this way in n8n, too.
				env: {
					...process.env,
					NODE_PATH: dirname(dirname(n8nRequire.resolve('n8n-workflow/package.json'))),
				},
				stdio: ['ignore', 'pipe', 'inherit'],
			});
			const { filesMs, workflowMs } = JSON.parse(output) as { filesMs: number; workflowMs: number };
			const note = `n8n-workflow itself: ${Math.round(workflowMs)} ms`;
			return Promise.resolve({ value: filesMs, note });
		},
	};
}
