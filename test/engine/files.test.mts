import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';
import { PageAudience } from '../../nodes/PageAudience/PageAudience.node.ts';
import { findCase } from './cases/index.mts';
import { linkedTo, originOf } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { asFile, requestLimits } from '../groups.mts';

/* How a record becomes a line is in test/unit/files/listFile.test.mts. */

const setup = setUpActionNode();

/** The text of an item's file, which the engine without n8n's server keeps in memory. */
const textOf = ({ binary }: INodeExecutionData, field = 'data'): string =>
	Buffer.from(binary?.[field].data ?? '', 'base64').toString();

const linesOf = (item: INodeExecutionData): IDataObject[] =>
	textOf(item)
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line) as IDataObject);

function rowsOf(item: INodeExecutionData, delimiter = ','): Array<Record<string, string>> {
	return parse(textOf(item), { delimiter, columns: true, bom: true });
}

/** The operations that offer a file. */
const lists = new PageAudience().description.properties
	.filter(
		({ name, options = [] }) => name === 'options' && options.some((each) => each.name === 'file'),
	)
	.flatMap(({ displayOptions: { show = {} } = {} }) =>
		show.resource!.flatMap((of) => show.operation!.map((each) => `${String(of)}.${String(each)}`)),
	);

test.each(lists)(
	'%s becomes one file per item, with every record as the API sent it',
	async (name) => {
		const { parameters, items } = findCase(setup.sandbox, name);
		const run = async (more: INodeParameters) =>
			(await setup.run({ ...parameters, returnAll: true, ...more }, items)).output;
		const asItems = await run({});
		const { returnAll, limit, ...whole } = parameters;
		const into = (format: 'csv' | 'jsonl') => ({
			options: { ...(parameters.options as INodeParameters), ...asFile(format) },
		});
		const jsonl = { ...whole, ...into('jsonl'), returnAll: true, simplify: true };
		const lines = (await setup.run(jsonl, items)).output;
		const tables = await run(into('csv'));
		expect([...lines, ...tables].map(originOf)).toEqual([0, 1, 0, 1]);
		for (const [index, item] of lines.entries()) {
			const records = linkedTo(asItems, index).map(({ json }) => json);
			expect(linesOf(item)).toEqual(records);
			const { fileName, mimeType } = item.binary?.data ?? {};
			const totalCount = item.json.totalCount ?? null;
			expect(item.json).toEqual({ records: records.length, totalCount, fileName, mimeType });
			expect([fileName?.endsWith('.jsonl'), mimeType]).toEqual([true, 'application/x-ndjson']);
			const rows = rowsOf(tables[index]);
			expect(rows).toHaveLength(records.length);
			for (const [at, row] of rows.entries()) {
				// Every documented field has a column.
				expect(Object.keys(row)).toEqual(expect.arrayContaining(Object.keys(records[at])));
				expect(row.otherFields).toBe('');
			}
		}
		const [one, two] = lines.map(({ json }) => json.fileName);
		if (name !== 'person.getAll') expect(one).not.toBe(two);
	},
);

const persons = { resource: 'person', operation: 'getAll', returnAll: true };

test('a file of many pages has one header and the order of the list, and none where a page fails', async () => {
	setup.sandbox.store.addPersons(130);
	setup.sandbox.faults.add({ operationId: 'listPersons', kind: 'status', status: 400, skip: 3 });
	const { output } = await setup.run(
		{ ...persons, options: { ...asFile(), ...requestLimits({ pageSize: 20, concurrency: 1 }) } },
		[{ n: 0 }, { n: 1 }],
		{ onError: 'continueRegularOutput' },
	);
	expect(output.map(originOf)).toEqual([0, 1]);
	expect(output[0].binary).toBeUndefined();
	expect(output[0].json).toMatchObject({
		error: expect.stringContaining('rejected') as string,
		details: { recordsRead: 60 },
	});
	const ids = rowsOf(output[1]).map(({ personId }) => personId);
	expect(ids).toEqual(setup.sandbox.store.persons.all().map(({ personId }) => personId));
	expect(output[1].json.records).toBe(ids.length);
});

test('a file that n8n cannot save fails its item, which says why and what to do', async () => {
	const { output } = await setup.run({ ...persons, options: asFile() }, [{}, {}], {
		onError: 'continueRegularOutput',
		handOver: ({ helpers }) => {
			const full = new Error('ENOSPC: no space left on device, write');
			helpers.prepareBinaryData = async () => await Promise.reject(full);
		},
	});
	expect(output.map(({ json }) => json)).toMatchObject(
		[0, 1].map((itemIndex) => ({
			error: `n8n failed to save the file: ENOSPC: no space left on device, write [item ${itemIndex}]`,
			details: {
				itemIndex,
				maybeDone: false,
				description: expect.stringContaining('the space on its disk') as string,
			},
		})),
	);
});

test('a file is named after the list, and put into the field of each item, whose name is required', async () => {
	const search = { resource: 'person', operation: 'search', query: '={{ $json.query }}' };
	const options = asFile('csv', { binaryPropertyName: '={{ $json.field }}' });
	const parameters = { ...search, options };
	const [one, two] = [
		{ query: 'a b', field: 'export' },
		{ query: 'a-b', field: 'list' },
	];
	// Letters of two units each.
	const long = { query: '𠮷'.repeat(200), field: 'list' };
	const { output } = await setup.run(parameters, [one, two, long]);
	expect(output.map(({ json, binary = {} }) => [json.fileName, Object.keys(binary)])).toEqual([
		['persons-search-a_b.csv', ['export']],
		['persons-search-a-b.csv', ['list']],
		[`persons-search-${'𠮷'.repeat(135)}.csv`, ['list']],
	]);
	expect(textOf(output[1], 'list')).toContain('personId');
	setup.sandbox.reset();
	const { error } = await setup.run(parameters, [one, { ...two, field: ' ' }]);
	expect(error?.message).toContain('Put Output File in Field');
	expect(setup.sandbox.requests).toEqual([]);
});

test('a file of a part says so, and what to do', async () => {
	setup.sandbox.store.addPersons(1_200);
	const totalCount = setup.sandbox.store.persons.size;
	const shown = totalCount.toLocaleString('en-US');
	const limit = '={{ $json.limit }}';
	const parameters = { ...persons, returnAll: false, limit, options: asFile() };
	const items = [{ limit: 2 }, { limit: 1 }, { limit: totalCount }];
	const { output, hints } = await setup.run(parameters, items);
	expect(output.map(({ json }) => [json.records, json.totalCount])).toEqual(
		items.map((item) => [item.limit, totalCount]),
	);
	expect(hints).toEqual([
		`The file has the first 2 of ${shown} records. To export all, turn on Return All [item 0, counted from 0].`,
		`The file has the first 1 of ${shown} records. To export all, turn on Return All [item 1, counted from 0].`,
	]);
});

test('a file has the fields of Output Fields and the ID, and an option that was emptied makes none', async () => {
	const outputFields = ['email', 'name'];
	const run = async (options: INodeParameters) =>
		(await setup.run({ ...persons, options: { ...options, outputFields } }, [{}, {}])).output;
	const [, table] = await run(asFile());
	expect(textOf(table).split('\n')[0]).toBe('personId,email,name');
	const [, lines] = await run(asFile('jsonl'));
	const records = (await run({ file: {} })).slice(0, linesOf(lines).length).map(({ json }) => json);
	expect(linesOf(lines)).toEqual(records);
	for (const record of records)
		expect(Object.keys(record).sort()).toEqual(['email', 'name', 'personId']);
});

test('a CSV file has the delimiter, the mark and the formulas that the options say', async () => {
	const [person] = setup.sandbox.store.persons.all();
	person.name = '=HYPERLINK("https://x.example")';
	const more = { escapeFormulas: false, byteOrderMark: true, delimiter: '={{ "\\t" }}' };
	const [usual] = (await setup.run({ ...persons, options: asFile() }, [{}])).output;
	const [other] = (await setup.run({ ...persons, options: asFile('csv', more) }, [{}])).output;
	expect(textOf(usual)).toMatch(/^personId,tenantId,name,/);
	expect(textOf(other)).toMatch(/^\ufeffpersonId\ttenantId\tname\t/);
	expect(rowsOf(usual)[0].name).toBe(`'${person.name}`);
	expect(rowsOf(other, '\t')[0].name).toBe(person.name);
});

test('an AI tool gets items', async () => {
	const parameters = { ...persons, options: asFile(), returnAll: false, limit: 2 };
	const { output } = await setup.run(parameters, [{}], { asTool: true });
	expect(output.map(({ binary }) => binary)).toEqual([undefined, undefined]);
});
