import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../root.mts';

type Cruise = { modules: Array<{ source: string; dependencies: Array<{ resolved: string }> }> };

/** The imports between the folders of `nodes/`, as a Mermaid chart. An arrow that others imply is left out. */
export function drawLayers(): string {
	const imports = new Map<string, Set<string>>();
	for (const { source, dependencies } of readImports().modules) {
		for (const { resolved } of dependencies) {
			const [from, to] = [layerOf(source), layerOf(resolved)];
			if (!from || !to || from === to) continue;
			imports.set(from, (imports.get(from) ?? new Set()).add(to));
		}
	}
	const edges = [...imports].flatMap(([from, all]) =>
		[...all]
			.filter((to) => ![...all].some((other) => other !== to && leadsTo(imports, other, to)))
			.map((to) => `\t${from} --> ${to}`),
	);
	return ['```mermaid', 'flowchart TD', ...edges.sort(), '```'].join('\n');
}

function leadsTo(imports: Map<string, Set<string>>, from: string, to: string): boolean {
	const next = imports.get(from) ?? new Set();
	return next.has(to) || [...next].some((each) => leadsTo(imports, each, to));
}

/** `PageAudience/resources/account.ts` → `PageAudience/resources`; `api/path.ts` → `api`. A trigger is one box. */
function layerOf(path: string): string | undefined {
	const [, file] = /^nodes\/([^/]+\.ts)$/.exec(path) ?? [];
	const [, ofNode] = /^nodes\/PageAudience\/([^/]+\.node\.ts|[^/.]+(?=\/))/.exec(path) ?? [];
	const [, folder] = /^nodes\/([^/]+)\//.exec(path) ?? [];
	return file ?? (ofNode ? `PageAudience/${ofNode}` : folder);
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
