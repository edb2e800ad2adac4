import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { idOf, setUpPolling } from '../polling/pollingSetup.mts';
import { readFixtures } from './fixtures.mts';

const open = setUpPolling();

/** What n8n stored for a polling trigger, and the records that it had seen. */
interface SavedPolling {
	parameters: INodeParameters;
	/** As n8n's database has it. Empty: the workflow was published, and no poll had found anything yet. */
	staticData: IDataObject;
	seen: IDataObject[];
	/** What the service lists after the update, and the IDs that then start the workflow. */
	added: IDataObject[];
	changed: IDataObject[];
	emits: string[];
}

const all = readFixtures<SavedPolling>('polling');

test.each(all)('%s goes on from what it has seen', async (_, saved) => {
	const { parameters, staticData, seen, added, changed, emits } = saved;
	const changedIds = changed.map(idOf);
	const kept = seen.filter((record) => !changedIds.includes(idOf(record)));
	const { service, workflow } = open(parameters);
	workflow.credential = { baseUrl: 'http://api.example', apiKey: 'key' };
	workflow.staticData = staticData;
	service.onRequest = async ({ path }) => {
		const page = /\/pages\/([^/]+)\//.exec(path)?.[1];
		const items = [...added, ...kept, ...changed].filter(
			({ pageId }) => page === undefined || pageId === page,
		);
		const body = { items, hasMore: false, totalCount: items.length, nextCursor: null };
		return await Promise.resolve({ status: 200, body });
	};
	await workflow.start();
	await workflow.tick();
	await workflow.tick();
	expect(workflow.failures).toEqual([]);
	expect(workflow.items.map(idOf).sort()).toEqual([...emits].sort());
});

test('every event is frozen', () => {
	const events = new Set(all.map(([, { parameters }]) => parameters.event));
	expect(events.size).toBe(6);
});
