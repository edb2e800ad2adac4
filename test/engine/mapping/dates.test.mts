import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { entries } from '../engine.mts';
import { openStage } from '../stage.mts';
import { type Evaluator, openIsolatedEngine } from './engines.mts';

/* Dates that an input item has as objects, as those of a database do. */

const stage = openStage();
beforeEach(() => entries.empty());

const times = ['2026-01-31T08:00:00.000Z', '2026-02-15T08:00:00.000Z'];
const toDate = (time: string): unknown => new Date(time);
const toLuxon = (time: string): unknown => DateTime.fromISO(time, { zone: 'utc' });

/** The item's date as a field of the payload, of a type that it offers. */
const log = (type: string): INodeParameters => ({
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	person: { email: 'ann@crm.example' },
	payloadFields: { assignments: [{ id: '1', name: 'at', type, value: '={{ $json.at }}' }] },
	options: { concurrency: 1 },
});

/** What an item has beside JSON. */
const withDates = (dates: unknown[]) =>
	dates.map((at, id) => ({ id, at })) as unknown as Parameters<typeof stage.run>[1];

async function readPayloads(type: string, dates: unknown[]) {
	const { error } = await stage.run(log(type), withDates(dates));
	expect(error).toBeUndefined();
	return stage.sandbox.requests.map(({ body }) => (body as { payload: object }).payload);
}

test.each([
	['a JavaScript date', 'string', toDate],
	['a JavaScript date', 'object', toDate],
	['a Luxon date', 'string', toLuxon],
])('%s in a payload field of type %s is sent as ISO text', async (_, type, make) => {
	expect(await readPayloads(type, times.map(make))).toEqual(times.map((at) => ({ at })));
});

describe('with the isolated engine of n8n', () => {
	let n8n: Evaluator;
	beforeAll(async () => (n8n = await openIsolatedEngine()));
	afterAll(async () => await n8n.close());

	test('a Luxon date in a payload field is sent as ISO text', async () => {
		expect(await readPayloads('string', times.map(toLuxon))).toEqual(times.map((at) => ({ at })));
	});

	test('a Luxon date is accepted as the date of a filter', async () => {
		const pageId = stage.sandbox.store.pages.all()[0].pageId;
		const filters = { startDate: '={{ $json.at }}' };
		const { error } = await stage.run(
			{ resource: 'audienceSession', operation: 'getAll', pageId, limit: 1, filters },
			withDates(times.map(toLuxon)),
		);
		expect(error).toBeUndefined();
		const sent = stage.sandbox.requests.map(({ query }) => query.startDate);
		expect(sent).toEqual(['2026-01-31T08:00:00Z', '2026-02-15T08:00:00Z']);
	});

	test('a sync sends a record again whose Luxon date has changed', async () => {
		const sync = { ...log('string'), write: 'changed', recordId: '={{ $json.id }}' };
		const [before, after] = times.map(toLuxon);
		await stage.run(sync, withDates([before, before]));
		const { output } = await stage.run(sync, withDates([before, after]));
		expect(output.map(({ json }) => json.alreadyWritten)).toEqual([true, false]);
	});
});
