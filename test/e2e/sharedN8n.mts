import { N8nClient } from '../../tools/n8n/client.mts';
import { Session } from '../../tools/n8n/session.mts';

/** The n8n that all files share, as its owner. */
export function connectToShared(): N8nClient {
	const { N8N_FOR_TESTS: url, N8N_FOR_TESTS_COOKIE: cookie } = process.env;
	if (!url) throw new Error('n8n is not started: run these tests with `npm test -- e2e`');
	return new N8nClient(new Session(url, cookie));
}
