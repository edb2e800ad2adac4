import { connect, N8nClient } from '../../tools/n8n/client.mts';
import { currentRelease, type Release } from '../../tools/n8n/release.mts';
import { Session } from '../../tools/n8n/session.mts';

export interface SharedN8n {
	url: string;
	/** Of its owner, who is logged in. */
	cookie: string;
}

/** No test has a Code node: without a process for those, n8n starts sooner. */
export const withoutRunner = {
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'local-only',
};

/** The n8n that the files of this worker of Jest share. */
function findShared(): SharedN8n {
	const { N8N_FOR_TESTS: all, JEST_WORKER_ID: worker = '1' } = process.env;
	if (!all) throw new Error('n8n is not started: run these tests with `npm test -- e2e`');
	const shared = (JSON.parse(all) as SharedN8n[])[Number(worker) - 1];
	if (!shared) throw new Error(`No n8n is started for worker ${worker} of Jest`);
	return shared;
}

/** The shared n8n, as its owner. */
export function connectToShared(): N8nClient {
	const { url, cookie } = findShared();
	return new N8nClient(new Session(url, cookie));
}

/** The n8n that the tests run, for files that need one of their own. */
export function testedRelease(): Release {
	const { N8N_FOR_TESTS_RELEASE: release } = process.env;
	return release ? (JSON.parse(release) as Release) : currentRelease();
}

/** An n8n that a file has started, as its owner. */
export async function connectToOwn(url: string): Promise<N8nClient> {
	return await connect(url);
}

/** The packed package, for files that start their own n8n. */
export function packageForTests(): string {
	const { N8N_FOR_TESTS_PACKAGE: tarball } = process.env;
	if (!tarball) throw new Error('Nothing is packed: run these tests with `npm test`');
	return tarball;
}
