import { startN8n, type N8nInstance } from '../../tools/n8n/instance.mts';
import { currentRelease, type Release } from '../../tools/n8n/release.mts';
import { connect } from '../../tools/n8n/client.mts';
import { end } from '../../tools/lifetime.mts';
import { packPackage } from '../../tools/package.mts';

declare global {
	var n8nForTests: N8nInstance | undefined;
}

/** One n8n with the packed package for all files, which find it in the environment. */
export default async function start(): Promise<void> {
	await startShared(currentRelease());
}

export async function startShared(release: Release): Promise<void> {
	const { tarball } = await packPackage();
	// Jest skips the teardown when it is interrupted.
	process.once('SIGTERM', () => void end(143));
	const n8n = await startN8n({ tarball, release });
	globalThis.n8nForTests = n8n;
	process.env.N8N_FOR_TESTS = n8n.url;
	// Files that need their own n8n use the same package, even if its source changes meanwhile.
	process.env.N8N_FOR_TESTS_PACKAGE = tarball;
	process.env.N8N_FOR_TESTS_RELEASE = JSON.stringify(release);
	const { session } = await connect(n8n.url);
	// n8n limits logins per minute, and there are more files than that.
	process.env.N8N_FOR_TESTS_COOKIE = session.cookie;
}
