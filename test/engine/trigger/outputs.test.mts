import type { INodeParameters } from 'n8n-workflow';
import { eventKinds } from '../../../nodes/parameters/fields.ts';
import { pagesOption, setUpScene } from './scene.mts';

const scene = setUpScene();

/** In the order of the list. */
const [enriched, failed, submitted] = eventKinds.map(({ value }) => value);

async function publish(events: string[] | string, options: INodeParameters = {}) {
	const { subscription, trigger } = scene.subscribed(
		{ active: false },
		{ events, options, outputs: 'perEvent' },
	);
	await trigger.publish();
	return { subscription, trigger, url: subscription.url };
}

/** What each output has after a delivery. */
async function send(url: string, body: unknown, headers: { [name: string]: string } = {}) {
	scene.host.executions.length = 0;
	const { status, data } = await scene.send(url, body, {
		'content-type': 'application/json',
		...headers,
	});
	expect(status).toBe(200);
	const [execution] = scene.host.executions;
	return {
		data,
		outputs: execution?.outputs.map((items) => items.map(({ json }) => json)),
	};
}

test('all events leave by one output unless each has its own', async () => {
	const { subscription, trigger } = scene.subscribed(
		{ active: false },
		{ events: [submitted, enriched] },
	);
	await trigger.publish();
	const body = [{ type: submitted }, { type: enriched }, {}];
	expect((await send(subscription.url, body)).outputs).toEqual([body]);
});

describe('with an output for each event', () => {
	test('an event leaves by the output at its place in the list of events', async () => {
		const { url } = await publish([submitted, enriched]);
		const body = { type: submitted };
		expect((await send(url, body)).outputs).toEqual([[], [body], []]);
		expect((await send(url, { type: enriched })).outputs).toEqual([[{ type: enriched }], [], []]);
		expect((await send(url, {}, { 'x-event': submitted })).outputs).toEqual([[], [{}], []]);
	});

	test.each([
		['an unknown event', { type: 'page.deleted' }],
		['an event without a name', { a: 1 }],
		['two events in one', { type: submitted, event: enriched }],
	])('%s leaves by the last one', async (_, body) => {
		const { url } = await publish([submitted, enriched]);
		expect((await send(url, body)).outputs).toEqual([[], [], [body]]);
	});

	test('an event that was not chosen leaves by none', async () => {
		const { url } = await publish([submitted]);
		const { data, outputs } = await send(url, { type: enriched });
		expect([data.started, outputs]).toEqual([false, undefined]);
	});

	test('a list is divided in its order, without what was not chosen', async () => {
		const { url } = await publish([submitted, enriched], { pages: pagesOption('page_1') });
		const body = [
			{ type: submitted, n: 1 },
			{ type: failed },
			'text',
			{ type: enriched, pageId: 'page_1' },
			{ type: submitted, n: 2 },
			{ type: submitted, pageId: 'page_2' },
		];
		expect((await send(url, body)).outputs).toEqual([
			[body[3]],
			[body[0], body[4]],
			[{ value: 'text' }],
		]);
	});

	test('Details of a list have one item for each event', async () => {
		const { url } = await publish([submitted, enriched], { output: 'details' });
		const body = [{ type: submitted, n: 1 }, { a: 1 }, { type: submitted, n: 2 }];
		const { outputs } = await send(url, body);
		expect(outputs).toMatchObject([
			[],
			[{ eventKind: submitted, body: [body[0], body[2]], rawBody: JSON.stringify(body) }],
			[{ eventKind: null, body: [body[1]] }],
		]);
		const [, [first], [last]] = outputs;
		expect(first.deliveryKey).not.toBe(last.deliveryKey);
		const again = await send(url, body);
		expect(again.outputs[1][0].deliveryKey).toBe(first.deliveryKey);
	});

	test('Details of one event have the same key as with one output', async () => {
		const { subscription, trigger, url } = await publish([submitted], { output: 'details' });
		const { outputs } = await send(url, { type: submitted });
		trigger.parameters.outputs = 'one';
		await trigger.publish();
		const { outputs: one } = await send(subscription.url, { type: submitted });
		expect(one[0][0].deliveryKey).toBe(outputs[0][0].deliveryKey);
	});

	test('an expression for the events gives each of them an output', async () => {
		const { url } = await publish(`={{ ["${submitted}", "${enriched}"] }}`);
		const { outputs } = await send(url, [{ type: submitted }, { type: enriched }, {}]);
		const expected = eventKinds.map(({ value }) =>
			value === submitted || value === enriched ? [{ type: value }] : [],
		);
		expect(outputs).toEqual([...expected, [{}]]);
		expect((await send(url, { type: failed })).data.started).toBe(false);
	});

	test('a test run has them too', async () => {
		const { subscription, trigger } = scene.subscribed(
			{ active: false },
			{ events: [submitted, enriched], outputs: 'perEvent' },
		);
		await trigger.listen();
		const { outputs } = await send(subscription.url, { type: submitted });
		expect(outputs).toEqual([[], [{ type: submitted }], []]);
	});
});

test('an unknown value of Outputs is refused, and nothing is changed', async () => {
	const { trigger } = scene.subscribed({ active: false });
	trigger.parameters.outputs = 'each';
	await expect(trigger.publish()).rejects.toThrow('Outputs must be one of one, perEvent');
	expect(scene.changes).toEqual([]);
});
