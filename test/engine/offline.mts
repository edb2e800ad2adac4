import { type Run, type RunResult, runNode } from './engine.mts';
import { runOnFakeClock } from './clock.mts';
import { type Exchange, FakeNetwork, type NetworkRequest, type Reply } from './fakeNetwork.mts';

const credential: Run['credential'] = { baseUrl: 'https://api.example', apiKey: 'key' };

/** Far more than any run may take: this only ends what would never end. */
const mostMs = 24 * 3_600_000;

export interface OfflineRun extends Omit<Run, 'credential'> {
	/** What the service sends, for the request and the number of requests before it. */
	answer: (request: NetworkRequest, sent: number) => Promise<Reply> | Reply;
	credential?: Partial<Run['credential']>;
}

/** Runs the node in n8n's engine without a network, and with all waits passing at once. */
export async function runOffline({
	answer,
	...run
}: OfflineRun): Promise<RunResult & { exchanges: Exchange[] }> {
	const network = new FakeNetwork();
	network.answerBy(async (request) => await answer(request, network.exchanges.length - 1));
	const start = async () =>
		await runNode({ ...run, credential: { ...credential, ...run.credential } });
	try {
		const { value } = await runOnFakeClock(start, { mostMs });
		return { ...value, exchanges: network.exchanges };
	} finally {
		network.close();
	}
}
