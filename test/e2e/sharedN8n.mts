import { N8nClient } from '../../tools/n8n/client.mts';
import type { Release } from '../../tools/n8n/release.mts';
import { Session } from '../../tools/n8n/session.mts';

/** The n8n that all files share, as its owner. */
export function connectToShared(): N8nClient {
	const { N8N_FOR_TESTS: url, N8N_FOR_TESTS_COOKIE: cookie } = process.env;
	if (!url) throw new Error('n8n is not started: run these tests with `npm test -- e2e`');
	return new N8nClient(new Session(url, cookie));
}

/** The n8n that the tests run, for files that need one of their own. */
export function testedRelease(): Release {
	return JSON.parse(String(process.env.N8N_FOR_TESTS_RELEASE)) as Release;
}

/** The packed package, for files that start their own n8n. */
export function packageForTests(): string {
	const { N8N_FOR_TESTS_PACKAGE: tarball } = process.env;
	if (!tarball) throw new Error('Nothing is packed: run these tests with `npm test`');
	return tarball;
}
