import { itemsOf, originOf, type Item } from '../../tools/n8n/execution.mts';
import { OwnN8n } from '../n8n/instances.mts';
import { setUpN8n, type N8nSetup, tested } from '../n8n/n8nSetup.mts';

type File = { id?: string; data?: string };

/** The content of a file, wherever n8n keeps it. */
async function download({ client }: N8nSetup, { binary = {} }: Item): Promise<string> {
	const { id, data } = binary.data as File;
	if (id === undefined) return Buffer.from(data ?? '', 'base64').toString();
	const response = await client.session.send('GET', `/rest/binary-data?id=${id}&action=download`);
	return await response.text();
}

describe.each([
	['in the file system', undefined, /^filesystem/],
	['in memory', { N8N_DEFAULT_BINARY_DATA_MODE: 'default' }, undefined],
	['in the database', { N8N_DEFAULT_BINARY_DATA_MODE: 'database' }, /^database/],
])('with files %s', (_, env, id) => {
	const setup = setUpN8n(env && { n8n: new OwnN8n(env) });

	test('hands over a list of several pages whole, as CSV and as JSON Lines', async () => {
		const { persons } = setup.sandbox.store;
		setup.sandbox.store.addPersons(350);
		const options = { file: { value: { format: '={{ $json.as }}' } } };
		const read = { resource: 'person', operation: 'getAll', returnAll: true, options };
		const execution = await setup.run(read, [{ as: 'csv' }, { as: 'jsonl' }]);
		const items = itemsOf(execution, tested);
		expect(items.map(originOf)).toEqual([0, 1]);
		for (const { json, binary } of items) {
			expect(json).toMatchObject({ records: persons.size, totalCount: persons.size });
			const { id: given } = binary?.data as File;
			expect(given ?? '').toMatch(id ?? /^$/);
		}
		const contents = await Promise.all(items.map((item) => download(setup, item)));
		const ids = persons.all().map(({ personId }) => personId);
		// No other value looks like one.
		for (const content of contents) expect(content.match(/prospect_\w+/g)).toEqual(ids);
	});
});

// n8n drops the options that it takes for hidden.
describe('options', () => {
	const setup = setUpN8n();

	test('in a dry run a report counts what the items would write, in place of them', async () => {
		const parameters = {
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			person: { email: '={{ $json.email }}' },
			options: { report: true, dryRun: true },
		};
		const items = ['ada@sample.example', 'noor@sample.example'].map((email) => ({ email }));
		const reports = itemsOf(await setup.run(parameters, items), tested);
		expect(reports).toMatchObject([{ json: { total: 2, failed: 0, wouldWrite: 2 } }]);
		expect(setup.sandbox.requests).toEqual([]);
	});
});
