import { join } from 'node:path';
import { root } from '../root.mts';
import { provideFolder } from '../setup/toolchain.mjs';
import { connect } from './client.mts';
import { N8n } from './n8n.mts';
import type { Release } from './release.mts';

/**
 * The user folder of an n8n that was started once: its database has the tables, and its owner an account. Made the first
 * time. An n8n that starts with a copy of it is ready sooner.
 */
export async function provideUserFolder(release: Release): Promise<string> {
	const folder = join(root, '.cache/n8n', release.version);
	await provideFolder(folder, async (partial) => {
		const n8n = new N8n({ release, userFolder: partial, withEditor: false });
		// n8n writes everything into its database file when it ends.
		await connect(await n8n.start()).finally(async () => await n8n.stop());
	});
	return folder;
}
