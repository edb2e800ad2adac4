import { join } from 'node:path';
import { root } from '../root.mts';
import { provideFolder } from '../setup/folder.mjs';
import { connect } from './client.mts';
import { startN8n } from './instance.mts';
import type { Release } from './release.mts';

/**
 * The user folder of an n8n that was started once: its database has the tables, and its owner an account. Made the first
 * time. An n8n that starts with a copy of it is ready sooner.
 */
export async function provideUserFolder(release: Release): Promise<string> {
	const folder = join(root, '.cache/n8n', release.version);
	await provideFolder(folder, async (partial) => {
		const n8n = await startN8n({ release, userFolder: partial, withEditor: false });
		// n8n writes everything into its database file when it ends.
		await connect(n8n.url).finally(async () => await n8n.stop());
	});
	return folder;
}
