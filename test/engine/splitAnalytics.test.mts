import { type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { getAnalyticsSummary } from '../../nodes/PageAudience/resources/pageAnalytics.ts';
import { linkedTo } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let pages: string[];
beforeEach(() => {
	const { store } = stage.sandbox;
	pages = [0, 4].map((at) => store.pages.all()[at].pageId);
	for (const [index, page] of pages.entries()) store.addSessions(page, 40 + index);
});

const read = async (
	splitBy: string,
	filters: INodeParameters,
	more: Parameters<typeof stage.run>[2] = {},
) =>
	await stage.run(
		{
			resource: 'page',
			operation: 'getAnalyticsSummary',
			pageId: '={{ $json.page }}',
			splitBy,
			filters,
		},
		pages.map((page) => ({ page })),
		{ timezone: 'Europe/Berlin', ...more },
	);

const march = { startDate: '2024-03-30T00:00:00', endDate: '2024-04-01T00:00:00' };
const windows = [
	{ windowStart: '2024-03-30T00:00:00+01:00', windowEnd: '2024-03-30T23:59:59.999+01:00' },
	{ windowStart: '2024-03-31T00:00:00+01:00', windowEnd: '2024-03-31T23:59:59.999+02:00' },
	{ windowStart: '2024-04-01T00:00:00+02:00', windowEnd: '2024-04-01T23:59:59.999+02:00' },
];

test('returns one item per window, across the change to summer time', async () => {
	const { output, error, hints } = await read('day', march);
	expect(error).toBeUndefined();
	for (const [item, page] of pages.entries()) {
		const own = linkedTo(output, item).map(({ json }) => json);
		expect(own).toEqual(
			windows.map((window) => expect.objectContaining({ ...window, pageId: page }) as object),
		);
		const sent = stage.sandbox.requests
			.filter(({ path }) => path.includes(page))
			.map(({ query }) => query);
		for (const { windowStart, windowEnd } of windows)
			expect(sent).toContainEqual({ startDate: windowStart, endDate: windowEnd });
		expect(sent).toHaveLength(windows.length);
	}
	expect(hints).toEqual([]);
	for (const { json } of output)
		expect(Object.keys(json).slice(0, 3)).toEqual([
			'windowStart',
			'windowEnd',
			'avgInteractionsPerSession',
		]);
});

test('never replaces a field of the API', async () => {
	const body = { totalSessions: 1, windowEnd: 'of the service' };
	stage.sandbox.faults.add({ kind: 'answer', body, times: Infinity });
	const { output } = await read('day', march);
	expect(output).toHaveLength(2 * windows.length);
	for (const [n, { json }] of output.entries())
		expect(json).toEqual({
			windowStart: windows[n % windows.length].windowStart,
			...body,
			pageId: pages[Math.floor(n / windows.length)],
		});
});

test('counts every session in one window', async () => {
	const year = { startDate: '2024-01-01', endDate: '2024-12-31' };
	const { output } = await read('week', year);
	for (const [item, page] of pages.entries()) {
		const own = linkedTo(output, item).map(({ json }) => Number(json.totalSessions));
		const all = stage.sandbox.store.sessions.of(page).length;
		expect(own.reduce((sum, count) => sum + count)).toBe(all);
		expect(own.length).toBe(53);
	}
});

test('a window that cannot be read fails its item alone', async () => {
	const target = { path: `/v0/pages/${pages[0]}/analytics/summary` };
	stage.sandbox.faults.add({ ...target, kind: 'status', status: 400, skip: 20 });
	const year = { startDate: '2024-01-01', endDate: '2024-12-31' };
	const { output } = await read('day', year, { onError: 'continueRegularOutput' });
	expect(linkedTo(output, 0).map(({ json }) => json.error)).toEqual([
		'The service rejected the request (400) [item 0]',
	]);
	expect(linkedTo(output, 1)).toHaveLength(366);
});

test.each<[what: string, splitBy: string, filters: INodeParameters, message: string]>([
	['without dates', 'day', {}, 'Split By requires Start Date and End Date'],
	[
		'without an end',
		'week',
		{ startDate: '2024-01-01' },
		'Split By requires Start Date and End Date',
	],
	[
		'with more windows than requests are reasonable',
		'day',
		{ startDate: '2024-01-01', endDate: '2025-03-31' },
		'Split By divides the period into more than 400 days. Choose a shorter period or a larger unit',
	],
])('sends nothing %s', async (_, splitBy, filters, message) => {
	const { error } = await read(splitBy, filters);
	expect(`${error?.message} ${error?.description}`).toContain(message);
	expect(stage.sandbox.requests).toEqual([]);
});

test('reads the whole period once without Split By, with or without dates', async () => {
	for (const filters of [{}, march]) {
		const { output } = await read('none', filters);
		expect(output.map(({ json }) => json.pageId)).toEqual(pages);
		expect(output[0].json).not.toHaveProperty('windowStart');
	}
	expect(stage.sandbox.requests).toHaveLength(4);
});

test('opens with both dates, and leaves stored filters as they are', async () => {
	const open = (stored: INodeParameters) =>
		NodeHelpers.getNodeParameters(getAnalyticsSummary.properties, stored, true, false, null, null)
			?.filters;
	expect(open({})).toEqual({ startDate: '', endDate: '' });
	for (const filters of [{}, { endDate: '2024-04-01' }, march])
		expect(open({ splitBy: 'day', filters })).toEqual(filters);
	const { error } = await read('none', { startDate: '', endDate: '' });
	expect(error).toBeUndefined();
	expect(stage.sandbox.requests.map(({ query }) => query)).toEqual([{}, {}]);
});
