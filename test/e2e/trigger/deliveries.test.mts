import { randomBytes } from 'node:crypto';
import { itemsOf, type JsonObject } from '../../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../../tools/n8n/workflow.mts';
import { openStage } from '../../n8n/stage.mts';
import { deliver, WebhookTrigger } from '../../n8n/triggers.mts';

const stage = openStage();
afterEach(async () => await stage.clear());

async function publish(options: JsonObject = {}, parameters: JsonObject = {}) {
	const trigger = await WebhookTrigger.create(stage, options, undefined, parameters);
	await trigger.publish();
	return trigger;
}

test('rejects forged deliveries with 401 and no execution', async () => {
	const trigger = await publish();
	const other = await publish();
	const { productionUrl } = trigger;
	const wrong = `${productionUrl}?token=${randomBytes(32).toString('hex')}`;
	const foreign = productionUrl + new URL(other.subscription.url).search;
	for (const url of [productionUrl, `${productionUrl}?token=`, wrong, foreign])
		expect(await deliver(url, { event: 'form.submitted' })).toBe(401);
	expect(await trigger.countRuns()).toBe(0);
});

// How n8n hands over a body depends on its type.
test.each([
	['application/json', '[{"a":1},2]', [{ a: 1 }, { value: 2 }]],
	['application/x-www-form-urlencoded', 'name=Zo%C3%AB&n=1', [{ name: 'Zoë', n: '1' }]],
	['text/plain', 'hello', [{ rawBody: 'hello' }]],
	['text/plain', '', [{}]],
])('a body of the type %s: %j', async (type, body, items) => {
	const trigger = await publish();
	const status = await deliver(trigger.subscription.url, body, { 'content-type': type });
	expect(status).toBe(200);
	expect(await trigger.runs(1)).toEqual([{ mode: 'webhook', status: 'success', items }]);
});

test('a multipart form is output with its fields, and not with where n8n keeps its files', async () => {
	const trigger = await publish();
	const form = new FormData();
	form.set('name', 'Zoë');
	form.set('payload', '{"event":"form.submitted"}');
	form.set('cv', new Blob(['hello'], { type: 'text/plain' }), 'cv.txt');
	const response = await fetch(trigger.subscription.url, { method: 'POST', body: form });
	expect(response.status).toBe(200);
	const [{ items }] = await trigger.runs(1);
	expect(items).toMatchObject([{ name: 'Zoë', payload: { event: 'form.submitted' } }]);
	expect(JSON.stringify(items)).not.toMatch(/filepath|newFilename/);
});

test('Details hold the delivery without secrets', async () => {
	const trigger = await publish({ output: 'details' });
	const { url } = trigger.subscription;
	const token = String(new URL(url).searchParams.get('token'));
	const body = { event: 'form.submitted', sentTo: url };
	const status = await deliver(`${url}&page=7`, body, {
		'content-type': 'application/json',
		authorization: 'Bearer secret',
		cookie: 'session=secret',
		referer: url,
		'x-signature': 'abc',
	});
	expect(status).toBe(200);
	const [run] = await trigger.runs(1);
	expect(run.items).toEqual([
		{
			body: { event: 'form.submitted', sentTo: expect.stringContaining(trigger.productionUrl) },
			rawBody: expect.stringContaining('"sentTo"') as string,
			headers: expect.objectContaining({ 'x-signature': 'abc' }) as object,
			query: { page: '7' },
			eventKind: 'form.submitted',
			receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
			deliveryKey: expect.stringMatching(/^\S{20,}$/) as string,
		},
	]);
	expect(JSON.stringify(run)).not.toContain(token);
	expect(JSON.stringify(run)).not.toContain('secret');
});

test('starts with the events of chosen pages, and each leaves by its output', async () => {
	const pageId = { __rl: true, mode: 'id', value: 'page_1' };
	const events = ['form.submitted', 'form.enriched'];
	const trigger = await WebhookTrigger.create(stage, { pages: { page: [{ pageId }] } }, undefined, {
		...{ events, outputs: 'perEvent' },
	});
	const followers = ['After enriched', 'After submitted', 'After others'];
	const nodes = followers.map((name): WorkflowNode => {
		const type = 'n8n-nodes-base.noOp';
		return { name, type, typeVersion: 1, position: [200, 0], parameters: {} };
	});
	const main = followers.map((node) => [{ node, type: 'main' as const, index: 0 }]);
	await stage.client.updateWorkflow(trigger.id, {
		nodes: [trigger.node, ...nodes],
		connections: { [trigger.node.name]: { main } },
	});
	await trigger.publish();
	const submitted = { event: 'form.submitted', pageId: 'page_1' };
	const enriched = { event: 'form.enriched', n: 1 };
	const elsewhere = { event: 'form.submitted', pageId: 'page_2' };
	const { url } = trigger.subscription;
	expect(await deliver(url, elsewhere)).toBe(200);
	expect(await trigger.countRuns()).toBe(0);
	expect(await deliver(url, JSON.stringify([submitted, enriched, elsewhere, { n: 2 }]))).toBe(200);
	const [execution] = await stage.executions(trigger.id, 1);
	expect(followers.map((name) => itemsOf(execution, name).map(({ json }) => json))).toEqual([
		[enriched],
		[submitted],
		[{ n: 2 }],
	]);
});

test('50 events at once each start the workflow once, and with Duplicates: Drop a repeated one does not', async () => {
	const trigger = await publish({ duplicates: 'drop' });
	const numbers = Array.from({ length: 50 }, (_, n) => n);
	const emit = async (n: number) => await trigger.emit('form.submitted', { n });
	const statuses = await Promise.all([...numbers, ...numbers.slice(0, 5)].map(emit));
	expect(new Set(statuses)).toEqual(new Set([200]));
	const runs = await trigger.runs(50, 150_000);
	expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
	const started = runs.map(({ items }) => (items[0].data as { n: number }).n);
	expect(started.sort((a, b) => a - b)).toEqual(numbers);
});
