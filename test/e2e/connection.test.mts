import { itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import { findFreePort } from '../../tools/ports.mts';
import { openWorkbench, tested, type Workbench } from './workbench.mts';

let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
beforeEach(() => bench.sandbox.reset());
afterAll(() => bench.close());

const people = ['Ada', 'Ben'].map((name) => ({ name, email: `${name}@connection.example` }));

async function createPersons(settings: JsonObject): Promise<unknown[]> {
	const parameters = {
		resource: 'person',
		operation: 'create',
		name: '={{ $json.name }}',
		additionalFields: { email: '={{ $json.email }}' },
		options: { concurrency: 1, maxRetries: 0 },
	};
	const execution = await bench.runNode(parameters, people, {
		onError: 'continueRegularOutput',
		...settings,
	});
	return itemsOf(execution, tested).map(({ json }) => json.details);
}

test('a refused connection sent nothing, so a new person can be sent again', async () => {
	const data = { baseUrl: `http://127.0.0.1:${await findFreePort()}`, apiKey: 'any' };
	const nowhere = await bench.client.createCredential('pageAudienceApi', 'Nowhere', data);
	expect(await createPersons({ credentials: { pageAudienceApi: nowhere } })).toEqual([
		expect.objectContaining({ code: 'ECONNREFUSED', maybeDone: false, itemIndex: 0 }),
		expect.objectContaining({ code: 'ECONNREFUSED', maybeDone: false, itemIndex: 1 }),
	]);
});

test('a connection lost after the request leaves in doubt whether the person was created', async () => {
	bench.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter', times: 2 });
	expect(await createPersons({})).toEqual([
		expect.objectContaining({ code: 'ECONNRESET', maybeDone: true, itemIndex: 0 }),
		expect.objectContaining({ code: 'ECONNRESET', maybeDone: true, itemIndex: 1 }),
	]);
	expect(bench.sandbox.requests).toHaveLength(2);
});
