import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { entries } from '../engine.mts';
import { runOffline } from '../offline.mts';
import { readFixtures } from './fixtures.mts';

/** What n8n stored of a nightly sync, and the items of the next night. */
interface Saved {
	parameters: INodeParameters;
	/** n8n's processed entries, by node. */
	content: Record<string, string>;
	items: IDataObject[];
	/** The idempotency keys of the items that the next night sends. */
	sends: string[];
}

afterEach(() => entries.empty());

test.each(readFixtures<Saved>('entries'))(
	'%s: the next night sends the rest under the same keys',
	async (_, { parameters, content, items, sends }) => {
		entries.content = content;
		const { error, output, exchanges } = await runOffline({
			parameters,
			items,
			// The stored entries are those of this address.
			credential: { baseUrl: 'http://api.example' },
			answer: (_, sent) => ({ status: 201, body: { personLogId: `log_${sent + 1}` } }),
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(items.length);
		const sent = exchanges.map(({ request }) => (request.body as IDataObject).idempotencyKey);
		expect(sent).toEqual(sends);
	},
);
