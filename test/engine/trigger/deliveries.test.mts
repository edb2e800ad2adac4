import { join } from 'node:path';
import { loadOutputSchema } from 'n8n-core';
import { eventKinds } from '../../../sandbox/index.mts';
import { setUpTrigger } from './triggerSetup.mts';

const setup = setUpTrigger();

test.each([
	['deeper than the stack', '['.repeat(100_000) + ']'.repeat(100_000)],
	['of a hundred thousand items', JSON.stringify(Array.from({ length: 100_000 }, () => ({})))],
])('a body may be %s', async (_, body) => {
	const { url } = await setup.published({ ignoreDuplicates: true });
	expect(await setup.deliver(url, body)).toBe(200);
	expect(setup.n8n.executions).toHaveLength(1);
});

test('a form is output with its parts, those that are JSON as JSON', async () => {
	const { url } = await setup.published();
	const payload = '{"event":"form.submitted","data":{"b":1}}';
	const headers = { 'content-type': 'application/x-www-form-urlencoded' };
	await setup.deliver(url, `a=%20&payload=${encodeURIComponent(payload)}`, headers);
	expect(setup.json()).toEqual([{ a: ' ', payload: JSON.parse(payload) as unknown }]);
});

test('details hold everything except secrets, under the names of the output schema', async () => {
	const { url } = await setup.published({ outputFormat: 'details' });
	const token = new URL(url).searchParams.get('token') ?? '';
	const secret = { authorization: 'Bearer x', referer: url, 'x-url': encodeURIComponent(url) };
	const headers = { 'content-type': 'application/json', 'x-signature': 'abc', ...secret };
	await setup.deliver(`${url}&page=7`, { event: 'form.submitted', url }, headers);
	const [details] = setup.json();
	expect(details).toEqual({
		body: { event: 'form.submitted', url: url.replace(token, '***') },
		rawBody: expect.stringContaining('"event":"form.submitted"') as string,
		headers: expect.objectContaining({ 'x-signature': 'abc' }) as object,
		query: { page: '7' },
		eventKind: 'form.submitted',
		receivedAt: expect.any(String) as string,
		deliveryKey: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
	});
	expect(new Date(String(details.receivedAt)).toISOString()).toBe(details.receivedAt);
	expect(JSON.stringify(details)).not.toMatch(new RegExp(`${token}|Bearer`));

	const nodeDir = join(import.meta.dirname, '../../../nodes/PageAudienceTrigger');
	const schema: unknown = loadOutputSchema({ nodeDir, version: 1, versionFallback: true });
	const keys = Object.keys(details);
	const eventKind = { enum: [...[...eventKinds].sort(), null] };
	const { anyOf } = schema as { anyOf: Array<{ properties?: object }> };
	expect(anyOf[1]).toMatchObject({ properties: { eventKind }, required: keys });
	expect(Object.keys(anyOf[1].properties ?? {})).toEqual(keys);
});

// `test/unit/trigger` has what counts as the same, for how long, and what happens at once.
describe('duplicates', () => {
	test('are dropped with 200, each trigger its own, and start the workflow by default', async () => {
		const on = { ignoreDuplicates: true };
		const [started, dropped] = [{ started: true }, { reason: 'This is a duplicate' }];
		for (const [number, options, second] of [
			[3, {}, started],
			[0, on, dropped],
			[1, on, dropped],
		] as const) {
			const subscription = setup.subscription({ active: false }, number);
			await setup.trigger(subscription, { options }).publish();
			for (const [a, data] of [[1, started] as const, [1, second] as const, [2, started] as const])
				expect(await setup.send(subscription.url, { a })).toMatchObject({ status: 200, data });
		}
		expect(setup.n8n.executions).toHaveLength(7);
	});

	test('get 503 until n8n has responded to the first', async () => {
		const { url } = await setup.published({ ignoreDuplicates: true });
		const atOnce = await Promise.all([1, 1, 2].map(async (a) => await setup.send(url, { a })));
		expect(atOnce.map(({ status }) => status)).toEqual([200, 503, 200]);
		expect(setup.n8n.log.join()).toContain('(503): the same one has no response yet');
		expect(await setup.send(url, { a: 1 })).toMatchObject({
			status: 200,
			data: { started: false },
		});
		expect(setup.n8n.executions).toHaveLength(2);
	});

	test('start every test run', async () => {
		const options = { ignoreDuplicates: true };
		const { subscription, trigger } = setup.subscribed({ active: false }, { options });
		for (const round of [1, 2]) {
			await trigger.listen();
			await setup.deliver(subscription.url, { a: 1 });
			expect(setup.n8n.executions).toHaveLength(round);
		}
	});
});
