import { N8nClient } from '../../tools/n8n/client.mts';
import { N8n } from '../../tools/n8n/n8n.mts';
import type { Release } from '../../tools/n8n/release.mts';
import { N8nSession } from '../../tools/n8n/session.mts';

/** An n8n that all files of a worker share, and the cookie of its owner. */
export type Shared = { url: string; cookie: string };

/** What `start.mts` has made for the tests. They find it in the environment. */
type GivenToTests = {
	/** The packed package, so that all files test the same even if its source changes meanwhile. */
	tarball: string;
	release: Release;
	/** What else each n8n has in its environment. */
	env: NodeJS.ProcessEnv;
	/** What the folder of an n8n begins with. */
	userFolder: string;
	shared: Shared[];
};

/** Hardly a test has a Code node: without a process for those, n8n starts sooner. */
export const withoutRunner = {
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'local-only',
};

export function giveToTests(given: GivenToTests): void {
	process.env.N8N_FOR_TESTS = JSON.stringify(given);
}

/** Whether there is an n8n for each of so many workers. */
export function wasGivenToTests(workers: number): boolean {
	const { N8N_FOR_TESTS: given } = process.env;
	return given !== undefined && (JSON.parse(given) as GivenToTests).shared.length >= workers;
}

export function givenToTests(): GivenToTests {
	const { N8N_FOR_TESTS: given } = process.env;
	if (!given) throw new Error('n8n is not started: run these tests with `npm test -- e2e`');
	return JSON.parse(given) as GivenToTests;
}

/** The n8n that the files of this worker of Jest share, as its owner. */
export function connectToShared(): N8nClient {
	const shared = givenToTests().shared[Number(process.env.JEST_WORKER_ID ?? '1') - 1];
	if (!shared) throw new Error('No n8n is started for this worker of Jest');
	return new N8nClient(new N8nSession(shared.url, shared.cookie));
}

/** An n8n that a file has for itself, to end and start again at the same address. */
export class OwnN8n extends N8n {
	constructor(env: NodeJS.ProcessEnv = {}) {
		const { tarball, release, env: given, userFolder: copyOf } = givenToTests();
		// Nobody looks at its editor.
		super({ tarball, release, copyOf, env: { ...given, ...env }, withEditor: false });
	}
}
