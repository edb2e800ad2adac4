import type { INodeParameters } from 'n8n-workflow';
import { pagesOption, setUpScene, until } from './scene.mts';

const scene = setUpScene();

const [chosen, another] = ['page_A1', 'page_B2'];
const notChosen = { started: false, reason: 'This page was not chosen' };

async function publish(options: INodeParameters = { pages: pagesOption(chosen) }) {
	const { subscription, trigger } = scene.subscribed({ active: false }, { options });
	await trigger.publish();
	return { subscription, trigger, url: subscription.url };
}

/** What production and test runs output, and what the response said. */
async function send(url: string, body: unknown, type = 'application/json') {
	scene.host.executions.length = 0;
	const { status, data } = await scene.send(url, body, { 'content-type': type });
	expect(status).toBe(200);
	return data;
}
const json = () => scene.host.executions.map(({ items }) => items.map((item) => item.json));

describe('a delivery', () => {
	test.each<[string, unknown, string]>([
		['that names a chosen page', { pageId: chosen }, 'application/json'],
		['that names no page', { event: 'form.submitted' }, 'application/json'],
		[
			'that names a chosen page in a form',
			`page_id=${chosen}&a=1`,
			'application/x-www-form-urlencoded',
		],
		['that names a chosen page in JSON sent as text', `{"page":{"id":"${chosen}"}}`, 'text/plain'],
		['that names a chosen page in a URL', `Seen at https://a.b/${chosen}?x=1`, 'text/plain'],
		['of nothing', '', 'application/json'],
		['of an empty list', [], 'application/json'],
	])('%s starts the workflow', async (_, body, type) => {
		const { url } = await publish();
		expect(await send(url, body, type)).toEqual({ started: true });
		expect(json()).toHaveLength(1);
	});

	test.each<[string, unknown, string]>([
		['of JSON', { pageId: another }, 'application/json'],
		['of a form', `page_id=${another}&a=1`, 'application/x-www-form-urlencoded'],
		['of a nested form', `data%5Bpage%5D%5Bid%5D=${another}`, 'application/x-www-form-urlencoded'],
		['of JSON sent as text', `{"page":{"id":"${another}"}}`, 'text/plain'],
		['of a list', [{ pageId: another }, { page_id: another }], 'application/json'],
	])('%s that names only another page gets 200 with a reason', async (_, body, type) => {
		const { url } = await publish();
		expect(await send(url, body, type)).toEqual(notChosen);
		expect(json()).toEqual([]);
	});

	test('of a list outputs the entries of chosen pages and kinds', async () => {
		const { url } = await publish();
		const entries = [
			{ event: 'form.submitted', pageId: chosen },
			{ event: 'form.submitted', pageId: another },
			{ event: 'form.enriched', pageId: chosen },
			{ event: 'form.submitted' },
			{ pageId: another },
		];
		expect(await send(url, entries)).toEqual({ started: true });
		expect(json()).toEqual([[entries[0], entries[3]]]);
		// No single entry is of a chosen page and of a chosen kind.
		expect(await send(url, [entries[1], entries[2]])).toEqual(notChosen);
	});

	test('of a list has in Details only what was chosen', async () => {
		const { url } = await publish({ pages: pagesOption(chosen), output: 'details' });
		const body = [
			{ event: 'form.submitted', pageId: chosen },
			{ a: 1, pageId: another },
		];
		await send(url, body);
		expect(json()).toMatchObject([
			[{ body: [body[0]], eventKind: 'form.submitted', rawBody: JSON.stringify(body) }],
		]);
	});

	test('of several pages, or of none chosen, starts the workflow', async () => {
		const { url } = await publish({ pages: pagesOption(7, another) });
		for (const pageId of [7, '7', another])
			expect(await send(url, { pageId })).toEqual({ started: true });
		expect(await send(url, { pageId: 70 })).toEqual(notChosen);
		const { url: other } = await publish({ pages: {} });
		expect(await send(other, { pageId: 70 })).toEqual({ started: true });
	});

	test('of another page is not remembered as delivered', async () => {
		const { trigger, url } = await publish({
			pages: pagesOption(chosen),
			duplicates: 'drop',
		});
		expect(await send(url, { pageId: another })).toEqual(notChosen);
		trigger.parameters.options = { pages: pagesOption(another), duplicates: 'drop' };
		await trigger.publish();
		expect(await send(url, { pageId: another })).toEqual({ started: true });
		expect(await send(url, { pageId: another })).toMatchObject({ reason: 'This is a duplicate' });
	});
});

describe('a test run', () => {
	test('waits for an event of its pages', async () => {
		const { subscription, trigger } = scene.subscribed(
			{ active: false },
			{ options: { pages: pagesOption(chosen) } },
		);
		await trigger.listen();
		expect(await send(subscription.url, { pageId: another })).toEqual(notChosen);
		expect(trigger.isListening).toBe(true);
		expect(await send(subscription.url, { pageId: chosen })).toEqual({ started: true });
		await until(() => !trigger.isListening);
	});

	test('beside production has pages of its own', async () => {
		const { subscription, trigger } = await publish();
		trigger.parameters.options = { pages: pagesOption(another) };
		await trigger.listen();
		expect(await send(subscription.url, { pageId: chosen })).toEqual({ started: true });
		await scene.host.settle();
		expect(scene.host.executions.map(({ mode }) => mode)).toEqual(['webhook']);
		expect(await send(subscription.url, { pageId: another })).toEqual(notChosen);
		await until(() => scene.host.executions.length === 1);
		expect(scene.host.executions.map(({ mode }) => mode)).toEqual(['manual']);
	});
});

test.each<[string, unknown, string]>([
	['a blank row', { __rl: true, mode: 'list', value: '' }, 'is blank: fill it in or remove it'],
	['a list by an expression', ['page_1', 'page_2'], 'must be text, but is an array'],
	['a URL', 'https://example.com/pages/page_1', 'must be an ID'],
])('%s under Pages is refused, and nothing is changed', async (_, pageId, message) => {
	const rows = [{ pageId: chosen }, { pageId }];
	const options = { pages: { page: rows } } as unknown as INodeParameters;
	for (const begin of ['publish', 'listen'] as const) {
		const { trigger } = scene.subscribed({ active: false }, { options });
		await expect(trigger[begin]()).rejects.toThrow(/Options > Pages > Page 2/);
		await expect(trigger[begin]()).rejects.toThrow(message);
	}
	expect(scene.changes).toEqual([]);
});
