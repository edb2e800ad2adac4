import type { INodeParameters } from 'n8n-workflow';
import { linkedTo, type Run } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';

const setup = setUpActionNode();
let pages: string[];
beforeEach(() => {
	pages = [0, 4].map((at) => setup.sandbox.store.pages.all()[at].pageId);
});

const read = async (splitBy: string, filters: INodeParameters, more: Partial<Run> = {}) => {
	const summary = { resource: 'page', operation: 'getAnalyticsSummary' };
	const parameters = { ...summary, pageId: '={{ $json.page }}', splitBy, filters };
	const items = pages.map((page) => ({ page }));
	return await setup.run(parameters, items, { timezone: 'Europe/Berlin', ...more });
};

const march = { startDate: '2024-03-30T00:00:00', endDate: '2024-04-01T00:00:00' };
const year = { startDate: '2024-01-01', endDate: '2024-12-31' };
const windows = [
	{ windowStart: '2024-03-30T00:00:00+01:00', windowEnd: '2024-03-30T23:59:59.999+01:00' },
	{ windowStart: '2024-03-31T00:00:00+01:00', windowEnd: '2024-03-31T23:59:59.999+02:00' },
	{ windowStart: '2024-04-01T00:00:00+02:00', windowEnd: '2024-04-01T23:59:59.999+02:00' },
];

test('returns one item per window, across the change to summer time', async () => {
	const { output, hints } = await read('day', march);
	for (const [item, pageId] of pages.entries()) {
		const own = linkedTo(output, item).map(({ json }) => json);
		expect(own).toMatchObject(windows.map((window) => ({ ...window, pageId })));
		const sent = setup.sandbox.requests.filter(({ path }) => path.includes(pageId));
		expect(new Map(sent.map(({ query }) => [query.startDate, query.endDate]))).toEqual(
			new Map(windows.map(({ windowStart, windowEnd }) => [windowStart, windowEnd])),
		);
		expect(sent).toHaveLength(windows.length);
	}
	expect(hints).toEqual([]);
	expect(Object.keys(output[0].json).slice(0, 2)).toEqual(['windowStart', 'windowEnd']);
});

test('a window that cannot be read fails its item alone, and ends its other windows', async () => {
	const path = `/v0/pages/${pages[0]}/analytics/summary`;
	setup.sandbox.faults.add({ path, kind: 'status', status: 400, skip: 20 });
	const { output } = await read('day', year, { onError: 'continueRegularOutput' });
	expect(linkedTo(output, 0).map(({ json }) => json.error)).toEqual([
		'The service rejected the request (400) [item 0]',
	]);
	expect(linkedTo(output, 1)).toHaveLength(366);
	const sent = setup.sandbox.requests.filter((request) => request.path === path);
	expect(sent.length).toBeLessThan(60);
});

test('an item without a date stops the run before anything is sent', async () => {
	const endDate = `={{ $json.page === "${pages[0]}" ? "2024-12-31" : "" }}`;
	const { error } = await read('day', { ...year, endDate });
	expect(error?.message).toContain('Split By requires Start Date and End Date [item 1]');
	expect(setup.received).toEqual([]);
});
