import { N8n } from '../../tools/n8n/n8n.mts';
import { currentRelease, type Release } from '../../tools/n8n/release.mts';
import { connect } from '../../tools/n8n/client.mts';
import { provideUserFolder } from '../../tools/n8n/userFolder.mts';
import { end } from '../../tools/lifetime.mts';
import { packPackage } from '../../tools/package.mts';
import { type SharedN8n, withoutRunner } from './sharedN8n.mts';

declare global {
	var n8nsForTests: N8n[] | undefined;
}

export default async function start(config: { maxWorkers: number }): Promise<void> {
	await startShared(currentRelease(), config.maxWorkers);
}

/**
 * One n8n with the packed package for each of Jest's workers, so that two files never test in the same one at once. The
 * files find it in the environment.
 */
export async function startShared(release: Release, workers: number): Promise<void> {
	// Another project of this run has started it.
	if (process.env.N8N_FOR_TESTS) return;
	const { tarball } = await packPackage();
	// Jest skips the teardown when it is interrupted.
	process.once('SIGTERM', () => void end(143));
	// Files that need their own n8n use the same package, even if its source changes meanwhile.
	process.env.N8N_FOR_TESTS_PACKAGE = tarball;
	process.env.N8N_FOR_TESTS_RELEASE = JSON.stringify(release);
	const copyOf = await provideUserFolder(release);
	process.env.N8N_FOR_TESTS_FOLDER = copyOf;
	globalThis.n8nsForTests = [];
	const starting = Array.from({ length: workers }, async (): Promise<SharedN8n> => {
		const n8n = new N8n({ tarball, release, copyOf, env: withoutRunner });
		globalThis.n8nsForTests?.push(n8n);
		const { session } = await connect(await n8n.start());
		// n8n limits logins per minute, and there are more files than that.
		return { url: n8n.url, cookie: session.cookie };
	});
	process.env.N8N_FOR_TESTS = JSON.stringify(await Promise.all(starting));
}
