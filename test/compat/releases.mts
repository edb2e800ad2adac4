import { join } from 'node:path';
import { readRelease, type Release } from '../../tools/n8n/release.mts';
import { root } from '../../tools/root.mts';
import { installDependencies } from '../../tools/setup/dependencies.mjs';
import { provideNode } from '../../tools/setup/toolchain.mjs';

/** The folders that hold older releases of n8n, and the Node that each runs on. */
export const nodeOf = {
	// Its part for expressions has binaries for Node 22 and 24.
	'n8n-1.123': 24,
	// The last that runs on Node 20, the oldest that the package supports.
	'n8n-2.8': 20,
} as const;

export type ReleaseName = keyof typeof nodeOf;
export const releaseNames = Object.keys(nodeOf) as ReleaseName[];

/** Installs a release and its Node, unless that was done already. */
export async function provideRelease(name: ReleaseName): Promise<Release> {
	const folder = join(import.meta.dirname, name);
	const title = `Installing ${name} (takes minutes the first time)`;
	await installDependencies(root, { folder, title });
	return readRelease(folder, await provideNode(root, nodeOf[name]));
}
