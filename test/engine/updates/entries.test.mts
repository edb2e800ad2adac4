import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { entries, runNode } from '../engine.mts';
import { Wire } from '../properties/wire.mts';
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

const credential = { baseUrl: 'http://api.example', apiKey: 'key' };

test.each(readFixtures<Saved>('entries'))(
	'%s: the next night sends the rest under the same keys',
	async (_, { parameters, content, items, sends }) => {
		entries.content = content;
		const sent: unknown[] = [];
		const wire = new Wire();
		wire.answerBy(async ({ body }) => {
			sent.push((body as IDataObject).idempotencyKey);
			return await Promise.resolve({ status: 201, body: { personLogId: `log_${sent.length}` } });
		});
		try {
			const { error, output } = await runNode({ parameters, items, credential });
			expect(error).toBeUndefined();
			expect(output).toHaveLength(items.length);
		} finally {
			wire.close();
			entries.empty();
		}
		expect(sent).toEqual(sends);
	},
);
