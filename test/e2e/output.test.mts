import { itemsOf, originOf, type Item } from '../../tools/n8n/execution.mts';
import { OwnN8n } from '../n8n/instances.mts';
import { setUpN8n, type N8nSetup, tested } from '../n8n/n8nSetup.mts';

const idOf = ({ binary }: Item) => (binary?.data as { id?: string }).id ?? '';

/** The content of a file, wherever n8n keeps it. */
async function download({ client }: N8nSetup, item: Item): Promise<string> {
	const { data = '' } = item.binary?.data as { data?: string };
	if (idOf(item) === '') return Buffer.from(data, 'base64').toString();
	const path = `/rest/binary-data?id=${idOf(item)}&action=download`;
	return await (await client.session.send('GET', path)).text();
}

describe.each([
	['in the file system', undefined, /^filesystem/],
	['in memory', { N8N_DEFAULT_BINARY_DATA_MODE: 'default' }, /^$/],
	['in the database', { N8N_DEFAULT_BINARY_DATA_MODE: 'database' }, /^database/],
])('with files %s', (_, env, id) => {
	const setup = setUpN8n(env && { n8n: new OwnN8n(env) });

	test('hands over a list of several pages whole, as CSV and as JSON Lines', async () => {
		const { persons } = setup.sandbox.store;
		setup.sandbox.store.addPersons(350);
		const options = { file: { value: { format: '={{ $json.as }}' } } };
		const read = { resource: 'person', operation: 'getAll', returnAll: true, options };
		const items = itemsOf(await setup.run(read, [{ as: 'csv' }, { as: 'jsonl' }]), tested);
		expect(items.map(originOf)).toEqual([0, 1]);
		const ids = persons.all().map(({ personId }) => personId);
		for (const item of items) {
			expect(item.json).toMatchObject({ records: persons.size, totalCount: persons.size });
			expect(idOf(item)).toMatch(id);
			// No other value looks like one.
			expect((await download(setup, item)).match(/prospect_\w+/g)).toEqual(ids);
		}
	});
});

describe('n8n, which drops the options that it takes for hidden,', () => {
	const setup = setUpN8n();

	test('keeps Report beside Dry Run: it counts what the items would write, in place of them', async () => {
		const log = { resource: 'personLog', operation: 'create', source: 'crm' };
		const person = { email: '={{ $json.email }}' };
		const parameters = { ...log, person, options: { report: true, dryRun: true } };
		const items = ['ada@sample.example', 'noor@sample.example'].map((email) => ({ email }));
		const reports = itemsOf(await setup.run(parameters, items), tested);
		expect(reports).toMatchObject([{ json: { total: 2, failed: 0, wouldWrite: 2 } }]);
		expect(setup.sandbox.requests).toEqual([]);
	});
});
