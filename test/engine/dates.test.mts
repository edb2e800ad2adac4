import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { openIsolatedEngine } from '../unit/parameters/mapping/n8n.mts';
import { entries } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { onlyNewOrChanged, requestLimits } from '../groups.mts';

/* Dates that an input item has as objects, as those of a database do. */

const setup = setUpActionNode();
beforeEach(() => entries.empty());

const times = ['2026-01-31T08:00:00.000Z', '2026-02-15T08:00:00.000Z'];
const toLuxon = (time: string): unknown => DateTime.fromISO(time, { zone: 'utc' });

/** Items with what JSON does not have. */
const withDates = (dates: unknown[]) =>
	dates.map((at, id) => ({ id, at: at as IDataObject[string] }));

/** The item's date as a field of the payload, of a type that it offers. */
const log = (type: string): INodeParameters => ({
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	person: { email: 'ann@crm.example' },
	payloadMode: 'fields',
	payloadFields: { assignments: [{ id: '1', name: 'at', type, value: '={{ $json.at }}' }] },
	options: requestLimits({ concurrency: 1 }),
});

test('a JavaScript date in a payload field is sent as ISO text', async () => {
	await setup.run(log('object'), withDates(times.map((time) => new Date(time))));
	expect(setup.sandbox.requests.map(({ body }) => (body as { payload: object }).payload)).toEqual(
		times.map((at) => ({ at })),
	);
});

test('a year that is a typo is refused, and asks nobody for the whole history', async () => {
	const filters = { startDate: '={{ $json.from }}' };
	const list = { resource: 'audienceSession', operation: 'getAll', pageId: 'page_1', filters };
	const items = ['2026-01-31', '0026-01-31', '9999-12-31'].map((from) => ({ from }));
	const { error } = await setup.run(list, items);
	expect(setup.received).toEqual([]);
	expect(error?.message).toMatch(
		/^Filters > Start Date must be a date between 1970 and 2200 .* "0026-01-31" \[item 1\]; .* "9999-12-31" \[item 2\]$/,
	);
});

describe('with the isolated engine of n8n', () => {
	let n8n: Awaited<ReturnType<typeof openIsolatedEngine>>;
	beforeAll(async () => (n8n = await openIsolatedEngine()));
	afterAll(async () => await n8n.close());

	test('a Luxon date is accepted as the date of a filter', async () => {
		const filters = { startDate: '={{ $json.at }}' };
		const list = { resource: 'audienceSession', operation: 'getAll', pageId: 'page_1', limit: 1 };
		await setup.run({ ...list, filters }, withDates(times.map(toLuxon)));
		const sent = setup.sandbox.requests.map(({ query }) => query.startDate);
		expect(sent).toEqual(['2026-01-31T08:00:00Z', '2026-02-15T08:00:00Z']);
	});

	test('a sync sends a record again whose Luxon date has changed', async () => {
		const sync = { ...log('string'), options: onlyNewOrChanged('={{ $json.id }}') };
		const [before, after] = times.map(toLuxon);
		await setup.run(sync, withDates([before, before]));
		const { output } = await setup.run(sync, withDates([before, after]));
		expect(output.map(({ json }) => json.alreadyWritten)).toEqual([true, false]);
	});
});
