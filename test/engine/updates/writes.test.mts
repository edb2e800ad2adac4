import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runOffline } from '../offline.mts';
import { readFixtures } from './fixtures.mts';

/** A run that failed in the middle, and what n8n stored of it for a Retry. */
interface Failed {
	/** How it came to be. */
	what: string;
	parameters: INodeParameters;
	items: IDataObject[];
	credential: { baseUrl: string; apiKey: string };
	/** What the node kept in the execution's data. */
	context: IDataObject;
	/** The bodies that the next run sends. */
	sends: object[];
	/** What it returns, of each item. */
	returns: IDataObject[];
}

const withAtLeast = (fields: object) => expect.objectContaining(fields) as object;

test.each(readFixtures<Failed>('writes'))('%s', async (_, { context, sends, returns, ...run }) => {
	const { output, exchanges } = await runOffline({
		...run,
		onError: 'continueRegularOutput',
		answer: ({ body }, sent) => ({
			status: 201,
			body: { ...(body as object), personId: `person_new${sent}`, personLogId: 'new' },
		}),
		handOver: (handed) => {
			Object.assign(handed.getContext('node'), structuredClone(context));
		},
	});
	expect(exchanges.map(({ request }) => request.body)).toEqual(sends.map(withAtLeast));
	expect(output.map(({ json }) => json)).toEqual(returns.map(withAtLeast));
});
