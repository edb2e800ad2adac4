import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode } from '../engine.mts';
import { type WireRequest, Wire } from '../properties/wire.mts';
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

let wire: Wire;
beforeEach(() => (wire = new Wire()));
afterEach(() => wire.close());

const withAtLeast = (fields: object) => expect.objectContaining(fields) as object;

let lastId = 0;
const create = async ({ body }: WireRequest) =>
	await Promise.resolve({
		status: 201,
		body: { ...(body as object), personId: `person_new${++lastId}` },
	});

test.each(readFixtures<Failed>('writes'))('%s', async (_, failed) => {
	wire.answerBy(create);
	const { output } = await runNode({
		...failed,
		onError: 'continueRegularOutput',
		prepare: (node) => {
			const { execute } = node;
			node.execute = async function () {
				Object.assign(this.getContext('node'), structuredClone(failed.context));
				return await execute.call(this);
			};
		},
	});
	const sent = wire.exchanges.map(({ request }) => request.body);
	expect(sent).toEqual(failed.sends.map(withAtLeast));
	expect(output.map(({ json }) => json)).toEqual(failed.returns.map(withAtLeast));
});
