import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';
import { findCase, operationsWith } from './cases/index.mts';
import { linkedTo, originOf, textOf } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { asFile, requestLimits } from '../groups.mts';

/* How a record becomes a line is in test/unit/files/listFile.test.mts. */

const setup = setUpActionNode();

const linesOf = (item: INodeExecutionData): IDataObject[] =>
	textOf(item)
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line) as IDataObject);

function rowsOf(item: INodeExecutionData, delimiter = ','): Array<Record<string, string>> {
	return parse(textOf(item), { delimiter, columns: true, bom: true });
}

test.each(operationsWith('file'))('%s becomes a file per item, as it was sent', async (name) => {
	const { parameters, items } = findCase(setup.sandbox, name);
	const { limit, ...whole } = parameters;
	const run = async (file: INodeParameters, simplify = false) => {
		const options = { ...(parameters.options as INodeParameters), ...file };
		const all = { ...whole, returnAll: true, simplify, options };
		return (await setup.run(all, items)).output;
	};
	const asItems = await run({});
	const tables = await run(asFile('csv'));
	// Simplify is for items.
	const lines = await run(asFile('jsonl'), true);
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
});

const persons = { resource: 'person', operation: 'getAll', returnAll: true };
const onError = 'continueRegularOutput';

test('a file of many pages has one header and the order of the list, and none where a page fails', async () => {
	setup.sandbox.store.addPersons(130);
	setup.sandbox.faults.add({ operationId: 'listPersons', kind: 'status', status: 400, skip: 3 });
	const options = { ...asFile(), ...requestLimits({ pageSize: 20, concurrency: 1 }) };
	const { output } = await setup.run({ ...persons, options }, [{ n: 0 }, { n: 1 }], { onError });
	expect(output.map(originOf)).toEqual([0, 1]);
	const [failed, whole] = output;
	expect(failed.binary).toBeUndefined();
	const error = expect.stringContaining('rejected') as string;
	expect(failed.json).toMatchObject({ error, details: { recordsRead: 60 } });
	const ids = rowsOf(whole).map(({ personId }) => personId);
	expect(ids).toEqual(setup.sandbox.store.persons.all().map(({ personId }) => personId));
	expect(whole.json.records).toBe(ids.length);
});

test('a file that n8n cannot save fails its item, which says why and what to do', async () => {
	const { json } = await setup.run({ ...persons, options: asFile() }, [{}, {}], {
		onError,
		handOver: ({ helpers }) => {
			const full = new Error('ENOSPC: no space left on device, write');
			helpers.prepareBinaryData = async () => await Promise.reject(full);
		},
	});
	const description = expect.stringContaining('the space on its disk') as string;
	expect(json).toMatchObject(
		[0, 1].map((itemIndex) => ({
			error: `n8n failed to save the file: ENOSPC: no space left on device, write [item ${itemIndex}]`,
			details: { itemIndex, maybeDone: false, description },
		})),
	);
});

test('a file is named after the list, and put into the field of each item, whose name is required', async () => {
	const search = { resource: 'person', operation: 'search', query: '={{ $json.query }}' };
	const options = asFile('csv', { binaryPropertyName: '={{ $json.field }}' });
	const items = [
		{ query: 'a b', field: 'export' },
		{ query: 'a-b', field: 'list' },
		// Letters of two units each.
		{ query: '𠮷'.repeat(200), field: 'list' },
	];
	const { output } = await setup.run({ ...search, options }, items);
	expect(output.map(({ json, binary = {} }) => [json.fileName, Object.keys(binary)])).toEqual([
		['persons-search-a_b.csv', ['export']],
		['persons-search-a-b.csv', ['list']],
		[`persons-search-${'𠮷'.repeat(135)}.csv`, ['list']],
	]);
	expect(textOf(output[1], 'list')).toContain('personId');
	setup.sandbox.reset();
	const { error } = await setup.run({ ...search, options }, [items[0], { query: 'a', field: ' ' }]);
	expect(error?.message).toContain('Put Output File in Field');
	expect(setup.sandbox.requests).toEqual([]);
});

test('a file of a part says so, and what to do', async () => {
	setup.sandbox.store.addPersons(1_200);
	const totalCount = setup.sandbox.store.persons.size;
	const limits = [2, 1, totalCount];
	const { json, hints } = await setup.run(
		{ ...persons, returnAll: false, limit: '={{ $json.limit }}', options: asFile() },
		limits.map((limit) => ({ limit })),
	);
	expect(json).toMatchObject(limits.map((records) => ({ records, totalCount })));
	const shown = totalCount.toLocaleString('en-US');
	expect(hints).toEqual([
		`The file has the first 2 of ${shown} records. To export all, turn on Return All [item 0, counted from 0].`,
		`The file has the first 1 of ${shown} records. To export all, turn on Return All [item 1, counted from 0].`,
	]);
});

test('a file has the fields of Output Fields and the ID, and an option that was emptied makes none', async () => {
	const run = async (file: INodeParameters) => {
		const options = { ...file, outputFields: ['email', 'name'] };
		return await setup.run({ ...persons, options }, [{}]);
	};
	const { json } = await run({ file: {} });
	expect(json).toHaveLength(setup.sandbox.store.persons.size);
	for (const record of json)
		expect(Object.keys(record).sort()).toEqual(['email', 'name', 'personId']);
	expect(linesOf((await run(asFile('jsonl'))).output[0])).toEqual(json);
	const [table] = (await run(asFile())).output;
	expect(textOf(table).split('\n')[0]).toBe('personId,email,name');
});

test('a CSV file has the delimiter, the mark and the formulas that the options say', async () => {
	const [person] = setup.sandbox.store.persons.all();
	person.name = '=HYPERLINK("https://x.example")';
	const more = { escapeFormulas: false, byteOrderMark: true, delimiter: '={{ "\\t" }}' };
	const [usual] = (await setup.run({ ...persons, options: asFile() }, [{}])).output;
	const [other] = (await setup.run({ ...persons, options: asFile('csv', more) }, [{}])).output;
	expect(textOf(usual)).toMatch(/^personId,tenantId,name,/);
	expect(textOf(other)).toMatch(/^\ufeffpersonId\ttenantId\tname\t/);
	const names = [rowsOf(usual), rowsOf(other, '\t')].map(([{ name }]) => name);
	expect(names).toEqual([`'${person.name}`, person.name]);
});

test('an AI tool gets items', async () => {
	const parameters = { ...persons, options: asFile(), returnAll: false, limit: 2 };
	const { output } = await setup.run(parameters, [{}], { asTool: true });
	expect(output.map(({ binary }) => binary)).toEqual([undefined, undefined]);
});
