import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sent } from '../cases/case.mts';
import { describeSent } from '../cases/index.mts';
import { allOperations, entries } from '../engine.mts';
import { setUpActionNode } from '../actionNodeSetup.mts';
import { readFixtures } from './fixtures.mts';

/** A node as a workflow saved it, and the requests that it sent for two items. */
interface SavedOperation {
	parameters: INodeParameters;
	items: IDataObject[];
	/** All requests, or only those that write: how it looks before may change. */
	sends?: Sent[];
	writes?: Sent[];
	/** When it ran, if its requests depend on that. */
	at?: string;
}

const setup = setUpActionNode();
beforeEach(() => entries.empty());
afterEach(() => void jest.restoreAllMocks());
const all = readFixtures<SavedOperation>('operations');

test.each(all)('%s sends the same requests', async (_, saved) => {
	const { parameters, items, sends, writes, at } = saved;
	if (at) jest.spyOn(Date, 'now').mockReturnValue(Date.parse(at));
	// The records need not exist: what was sent counts.
	await setup.run(parameters, items, { onError: 'continueRegularOutput' });
	const sent = setup.sandbox.requests.map(describeSent);
	if (sends) expect(sent).toEqual(sends);
	if (writes) expect(sent.filter(({ request }) => !request.startsWith('GET'))).toEqual(writes);
	expect(sends ?? writes).toBeDefined();
});

test('every operation is frozen: `npm run fix` does that for one of one endpoint', () => {
	const frozen = all.map(([name]) => name.split('/')[1]);
	expect(allOperations.filter((name) => !frozen.includes(name))).toEqual([]);
});
