import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import Papa from 'papaparse';
import { resources } from '../../nodes/PageAudience/PageAudience.node.ts';
import { waitFor } from '../waitFor.mts';
import { originOf } from './engine.mts';
import { findCase } from './cases/index.mts';
import { openStage } from './stage.mts';

const stage = openStage();

/** The text of an item's file, which the engine without n8n's server keeps in memory. */
const textOf = ({ binary }: INodeExecutionData, field = 'data'): string =>
	Buffer.from(binary?.[field].data ?? '', 'base64').toString();

const linesOf = (item: INodeExecutionData): IDataObject[] =>
	textOf(item)
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line) as IDataObject);

function rowsOf(item: INodeExecutionData): Array<Record<string, string>> {
	const { data, errors } = Papa.parse<Record<string, string>>(textOf(item).trimEnd(), {
		header: true,
	});
	expect(errors).toEqual([]);
	return data;
}

const lists = resources.flatMap(({ option, operations }) =>
	operations
		.filter(({ paging }) => paging)
		.map((operation) => ({ name: `${option.value}.${operation.option.value}`, operation })),
);

test('every list that pages knows the columns of its file', () => {
	expect(lists.filter(({ operation }) => !operation.output?.shape)).toEqual([]);
	expect(lists).toHaveLength(7);
});

describe.each(lists)('$name', ({ name, operation }) => {
	const run = async (more: INodeParameters) => {
		const { parameters, items } = findCase(stage.sandbox, name);
		return await stage.run({ ...parameters, ...more }, items);
	};

	test('becomes one file per item, with every record as the API sent it', async () => {
		const asItems = await run({});
		const { output, error } = await run({ outputAs: 'jsonl', returnAll: false, simplify: true });
		expect(error).toBeUndefined();
		expect(output.map(originOf)).toEqual([0, 1]);
		for (const [index, item] of output.entries()) {
			const records = asItems.output.filter((each) => originOf(each) === index);
			expect(linesOf(item)).toEqual(records.map(({ json }) => json));
			const { fileName, mimeType } = item.binary?.data ?? {};
			expect(item.json).toMatchObject({ records: records.length, fileName, mimeType });
			expect([fileName?.endsWith('.jsonl'), mimeType]).toEqual([true, 'application/x-ndjson']);
		}
		const [one, two] = output.map(({ json }) => json.fileName);
		if (name !== 'person.getAll') expect(one).not.toBe(two);
	});

	test('becomes a table with a column for each documented field', async () => {
		const { output } = await run({ outputAs: 'csv', returnAll: false });
		const asItems = await run({});
		for (const [index, item] of output.entries()) {
			const records = asItems.output.filter((each) => originOf(each) === index);
			const rows = rowsOf(item);
			expect(rows).toHaveLength(records.length);
			const fields = operation.output?.shape?.fields ?? [];
			for (const [at, row] of rows.entries()) {
				expect(Object.keys(row)).toEqual([...fields, 'otherFields']);
				const { json } = records[at];
				const id = operation.output?.shape?.id ?? '';
				expect(row[id]).toBe(json[id]);
				for (const field of fields) {
					const value = json[field];
					const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
					if (typeof value === 'object' && value !== null) expect(row[field]).toBe(text);
					if (typeof value === 'boolean') expect(row[field]).toBe(text);
				}
				expect(row.otherFields).toBe('');
			}
		}
	});

	test('is read whole unless a limit is set', async () => {
		const { returnAll: _, limit: __, ...own } = findCase(stage.sandbox, name).parameters;
		const { items } = findCase(stage.sandbox, name);
		const { output } = await stage.run({ ...own, outputAs: 'jsonl' }, items);
		expect(output).toHaveLength(2);
		for (const { json } of output) expect(json.records).toBe(json.totalCount);
	});
});

const persons = { resource: 'person', operation: 'getAll', options: { pageSize: 20 } };

test('writes one header for many pages, and keeps the order of the list', async () => {
	stage.sandbox.store.addPersons(130);
	const { output } = await stage.run({ ...persons, outputAs: 'csv' }, [{}]);
	const ids = rowsOf(output[0]).map(({ personId }) => personId);
	expect(ids).toEqual(stage.sandbox.store.persons.all().map(({ personId }) => personId));
	expect(output[0].json.records).toBe(ids.length);
	expect(stage.sandbox.requests.length).toBeGreaterThan(6);
});

test('names a file after what was asked for', async () => {
	const list = { resource: 'audience', operation: 'getAll', pageId: '={{ $json.page }}' };
	const pages = stage.sandbox.store.pages.all().slice(0, 2);
	const items = pages.map(({ pageId: page }) => ({ page }));
	const { output } = await stage.run({ ...list, outputAs: 'csv' }, items);
	expect(output.map(({ json }) => json.fileName)).toEqual(
		items.map(({ page }) => `pages-${page}-audiences.csv`),
	);
});

test('a list that fails in the middle leaves no file', async () => {
	stage.sandbox.store.addPersons(130);
	stage.sandbox.faults.add({ operationId: 'listPersons', kind: 'status', status: 400, skip: 3 });
	const { output } = await stage.run(
		{ ...persons, outputAs: 'csv', options: { pageSize: 20, concurrency: 1 } },
		[{ n: 0 }, { n: 1 }],
		{ onError: 'continueRegularOutput' },
	);
	expect(output.map(originOf)).toEqual([0, 1]);
	expect(output[0].binary).toBeUndefined();
	expect(output[0].json).toMatchObject({
		error: expect.stringContaining('rejected') as string,
		details: { recordsRead: 60 },
	});
	expect(output[1].json.records).toBe(output[1].json.totalCount);
	expect(rowsOf(output[1])).toHaveLength(Number(output[1].json.records));
});

test('a repeated run of the node reads the list again', async () => {
	stage.sandbox.faults.add({ operationId: 'listPersons', kind: 'status', status: 400, skip: 1 });
	const { output, error } = await stage.run({ ...persons, outputAs: 'jsonl' }, [{}], {
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(error).toBeUndefined();
	expect(linesOf(output[0])).toHaveLength(stage.sandbox.store.persons.size);
});

test('says what a limit has cut', async () => {
	const run = await stage.run({ ...persons, outputAs: 'csv', returnAll: false, limit: 3 }, [{}]);
	const all = stage.sandbox.store.persons.size;
	expect(run.output[0].json).toMatchObject({ records: 3, totalCount: all });
	expect(run.hints).toContain(`The list has ${all} records in total.`);
});

test('puts the file into the field of each item, and refuses a blank name', async () => {
	const parameters = { ...persons, outputAs: 'csv', binaryPropertyName: '={{ $json.field }}' };
	const { output } = await stage.run(parameters, [{ field: 'export' }, { field: 'people' }]);
	expect(output.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([['export'], ['people']]);
	expect(textOf(output[1], 'people')).toContain('personId');
	stage.sandbox.reset();
	const { error } = await stage.run(parameters, [{ field: 'export' }, { field: ' ' }]);
	expect(error?.message).toContain('Put Output File in Field');
	expect(stage.sandbox.requests).toEqual([]);
});

test('items of one node may become items and files', async () => {
	const parameters = { ...persons, outputAs: '={{ $json.as }}', limit: 2, returnAll: false };
	const { output } = await stage.run(parameters, [{ as: 'csv' }, { as: 'items' }]);
	expect(output.map(originOf)).toEqual([0, 1, 1]);
	expect(output.map(({ binary }) => binary !== undefined)).toEqual([true, false, false]);
});

test('escapes formulas and marks the encoding where that is wanted', async () => {
	const [person] = stage.sandbox.store.persons.all();
	Object.assign(person, { name: '=HYPERLINK("https://x.example")', phoneNumber: '+49 30 123456' });
	const run = async (options: INodeParameters) =>
		await stage.run({ ...persons, outputAs: 'csv', options }, [{}]);
	const [{ name, phoneNumber }] = rowsOf((await run({})).output[0]);
	expect([name, phoneNumber]).toEqual([`'${person.name}`, `'${person.phoneNumber}`]);
	const plain = await run({ escapeFormulas: false, byteOrderMark: true });
	expect(textOf(plain.output[0]).startsWith('\ufeffpersonId,')).toBe(true);
	const [row] = rowsOf(plain.output[0]);
	expect([row.name, row.phoneNumber]).toEqual([person.name, person.phoneNumber]);
});

test.each([
	[undefined, ','],
	[';', ';'],
	['\t', '\t'],
	['={{ "\\t" }}', '\t'],
])('separates columns as Delimiter %j says', async (delimiter, expected) => {
	const options = delimiter === undefined ? {} : { delimiter };
	const { output, error } = await stage.run({ ...persons, outputAs: 'csv', options }, [{}]);
	expect(error).toBeUndefined();
	expect(textOf(output[0]).startsWith(['personId', 'tenantId', 'name'].join(expected))).toBe(true);
});

test('an AI tool gets items', async () => {
	const { output } = await stage.run({ ...persons, outputAs: 'csv', limit: 2 }, [{}], {
		asTool: true,
	});
	expect(output).toHaveLength(2);
	expect(output[0].binary).toBeUndefined();
});

test('a cancelled execution leaves no file', async () => {
	stage.sandbox.store.addPersons(500);
	stage.sandbox.latencyMs = 20;
	const controller = new AbortController();
	const { faults, requests } = stage.sandbox;
	faults.add({ operationId: 'listPersons', kind: 'latency', ms: 2_000, skip: 3 });
	const running = stage.run({ ...persons, outputAs: 'csv' }, [{}], { signal: controller.signal });
	await waitFor('the third request', () => requests.length >= 3);
	controller.abort();
	const { output, status } = await running;
	expect([output, status]).toEqual([[], 'canceled']);
});
