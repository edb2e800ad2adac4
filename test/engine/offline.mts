import { type Run, type RunResult, runNode } from './engine.mts';
import { runOnFakeClock } from './clock.mts';
import { type Exchange, FakeNetwork, type NetworkRequest, type Reply } from './fakeNetwork.mts';

const credential: Run['credential'] = { baseUrl: 'https://api.example', apiKey: 'key' };

/** Far more than any run may take: this only ends what would never end. */
const mostMs = 24 * 3_600_000;

type Answer = (request: NetworkRequest, sent: number) => Promise<Reply> | Reply;
type Executed = Omit<Run, 'credential'> & { credential?: Partial<Run['credential']> };

export interface OfflineRun extends Executed {
	/** What the service sends, for the request and the number of requests before it. */
	answer: Answer;
}

/** Runs the node in n8n's engine without a network, and with all waits passing at once. */
export async function runOffline({
	answer,
	...run
}: OfflineRun): Promise<RunResult & { exchanges: Exchange[] }> {
	const { results, exchanges } = await runAllOffline([run], answer);
	return { ...results[0], exchanges };
}

/**
 * Runs several executions at the same moment, in one process.
 * @param day how many days later than others
 */
export async function runAllOffline(runs: Executed[], answer: Answer, day = 0) {
	const network = new FakeNetwork();
	network.answerBy(async (request) => await answer(request, network.exchanges.length - 1));
	const start = async () =>
		await Promise.all(
			runs.map(
				async (run) => await runNode({ ...run, credential: { ...credential, ...run.credential } }),
			),
		);
	try {
		const { value: results } = await runOnFakeClock(start, { mostMs, number: day });
		return { results, exchanges: network.exchanges };
	} finally {
		network.close();
	}
}
