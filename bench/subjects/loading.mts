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

// What n8n depends on lies beside the place that the link leads to.
const n8nFolder = realpathSync(join(root, 'tools/n8n/node_modules/n8n'));
const n8nRequire = createRequire(join(n8nFolder, 'package.json'));

/** The time that a fresh Node process takes to load the packed node files, n8n-workflow not counted. */
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
			const told = execFileSync(process.execPath, [program, ...files], {
				encoding: 'utf8',
				// Where n8n lets community packages find n8n-workflow.
				env: {
					...process.env,
					NODE_PATH: dirname(dirname(n8nRequire.resolve('n8n-workflow/package.json'))),
				},
				stdio: ['ignore', 'pipe', 'inherit'],
			});
			const { filesMs, workflowMs } = JSON.parse(told) as { filesMs: number; workflowMs: number };
			const note = `n8n-workflow itself: ${Math.round(workflowMs)} ms`;
			return Promise.resolve({ value: filesMs, note });
		},
	};
}
