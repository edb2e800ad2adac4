import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../root.mts';

type Cruise = { modules: Array<{ source: string; dependencies: Array<{ resolved: string }> }> };

/** The imports between the folders of `nodes/`, as a Mermaid chart. */
export function drawLayers(): string {
	const edges = new Set<string>();
	for (const { source, dependencies } of readImports().modules) {
		for (const { resolved } of dependencies) {
			const [from, to] = [layerOf(source), layerOf(resolved)];
			if (from && to && from !== to) edges.add(`\t${from} --> ${to}`);
		}
	}
	return ['```mermaid', 'flowchart TD', ...[...edges].sort(), '```'].join('\n');
}

/** `PageAudience/resources/account/index.ts` → `PageAudience/resources`; `api/path.ts` → `api`. */
function layerOf(path: string): string | undefined {
	const file = /^nodes\/(?:(?<file>[^/]+\.ts)|[^/]+\/(?<node>[^/]+\.node\.ts))$/.exec(path)?.groups;
	if (file) return file.file ?? file.node;
	const [, folder] = /^nodes\/([A-Z][^/]*\/[^/.]+(?=\/)|[^/]+(?=\/))/.exec(path) ?? [];
	return folder;
}

function readImports(): Cruise {
	const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
	const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'nodes'];
	const output = execFileSync(process.execPath, [program, ...args], {
		cwd: root,
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
	});
	return JSON.parse(output) as Cruise;
}
