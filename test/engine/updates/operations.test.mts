import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RecordedRequest } from '../../../sandbox/index.mts';
import { operationNames } from '../cases/index.mts';
import { entries } from '../engine.mts';
import { openStage } from '../stage.mts';
import { readFixtures } from './fixtures.mts';

/** A node as a workflow saved it, and the requests that it sent for two items. */
interface Saved {
	parameters: INodeParameters;
	items: IDataObject[];
	/** All requests, or only those that write: how it looks before may change. */
	sends?: Sent[];
	writes?: Sent[];
}

type Sent = { request: string; query?: string; body?: object };

const stage = openStage();
beforeEach(() => entries.empty());
const all = readFixtures<Saved>('operations');

const describeSent = ({ method, path, rawQuery, rawBody }: RecordedRequest) => ({
	request: `${method} ${path}`,
	...(rawQuery && { query: rawQuery }),
	...(rawBody && { body: JSON.parse(rawBody) as object }),
});

test.each(all)('%s sends the same requests', async (_, { parameters, items, sends, writes }) => {
	// The records need not exist: what was sent counts.
	await stage.run(parameters, items, { onError: 'continueRegularOutput' });
	const sent = stage.sandbox.requests.map(describeSent);
	if (sends) expect(sent).toEqual(sends);
	if (writes) expect(sent.filter(({ request }) => !request.startsWith('GET'))).toEqual(writes);
	expect(sends ?? writes).toBeDefined();
});

test('every operation is frozen: run `npm run freeze` for a new one', () => {
	const frozen = all.map(([name]) => name.split('/')[1]);
	expect(operationNames.filter((name) => !frozen.includes(name))).toEqual([]);
});
