import { connect } from '../../tools/n8n/client.mts';
import { describeN8n, installN8n } from '../../tools/n8n/install.mts';
import { N8n, provideUserFolder } from '../../tools/n8n/n8n.mts';
import { end } from '../../tools/lifetime.mts';
import { packPackage } from '../../tools/package.mts';
import { giveToTests, type Shared, wasGivenToTests, withoutRunner } from './instances.mts';

declare global {
	var n8nsForTests: N8n[] | undefined;
}

/** With this, the present n8n activates workflows as older ones do: in one step, and each again when it starts. */
const olderActivation = { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' };

/**
 * Jest's global setup: packs the package, and starts one n8n with it for each of Jest's workers, so that two files never
 * test in the same one at once. In queue mode, each file starts its own processes.
 */
export default async function start(
	{ maxWorkers }: { maxWorkers: number },
	{ displayName }: { displayName: { name: string } },
): Promise<void> {
	const workers = displayName.name === 'queue' ? 0 : maxWorkers;
	// Another project of this run may have done it.
	if (wasGivenToTests(workers)) return;
	const { tarball } = await packPackage();
	const { name } = displayName;
	// A project such as `compat-n8n-1.123` is named after its release.
	const release = await installN8n(
		name.startsWith('compat-n8n-') ? describeN8n(name.replace('compat-', '')) : undefined,
	);
	const env = { ...withoutRunner, ...(name === 'compat-older-activation' ? olderActivation : {}) };
	const userFolder = await provideUserFolder(release);
	// Jest skips the teardown when it is interrupted.
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end(1));
	globalThis.n8nsForTests = [];
	const starting = Array.from({ length: workers }, async (): Promise<Shared> => {
		const n8n = new N8n({ tarball, release, copyOf: userFolder, env });
		globalThis.n8nsForTests?.push(n8n);
		const { session } = await connect(await n8n.start());
		// n8n limits logins per minute, and there are more files than that.
		return { url: n8n.url, cookie: session.cookie };
	});
	giveToTests({ tarball, release, env, userFolder, shared: await Promise.all(starting) });
}
