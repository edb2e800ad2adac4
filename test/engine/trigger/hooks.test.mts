import { NodeOperationError } from 'n8n-workflow';
import { setUpScene } from './scene.mts';

const scene = setUpScene();

const free = { url: 'https://example.com/old', events: ['form.enriched' as const], active: false };

describe('a node without a webhook ID, as n8n imports it from a file', () => {
	const imported = { id: null, workflowId: 'workflow7' };

	test('connects, accepts deliveries and restores under the ID of the workflow and its own name', async () => {
		const { subscription, trigger } = scene.subscribed(free, { ...imported, name: 'Form' });
		await trigger.publish();
		expect(subscription.url).toContain('/webhook/workflow7/form/webhook?');
		expect(await scene.deliver(subscription.url, { a: 1 })).toBe(200);
		expect(scene.host.executions).toHaveLength(1);
		await trigger.listen();
		await trigger.endListening();
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test.each(['Page Audience Trigger', 'Anfrage für Ada'])(
		'is refused if n8n would respond with 404 because of its name, %s',
		async (name) => {
			const { trigger } = scene.subscribed(free, { ...imported, name });
			const refusal = {
				message: expect.stringContaining('n8n gave this trigger no webhook ID') as string,
				description: expect.stringContaining('in the editor and save it') as string,
			};
			await expect(trigger.publish()).rejects.toMatchObject(refusal);
			await expect(trigger.listen()).rejects.toMatchObject(refusal);
			expect(scene.changes).toEqual([]);
		},
	);
});

test.each(['nowhere', ''])(
	'without a usable webhook URL ("%s…") publishing names WEBHOOK_URL',
	async (address) => {
		const trigger = scene.trigger(scene.subscription(free));
		trigger.base = address;
		const hook = trigger.hook('create', trigger.makeWorkflow(true), false);
		await expect(hook).rejects.toBeInstanceOf(NodeOperationError);
		await expect(hook).rejects.toMatchObject({
			message: expect.stringContaining('n8n has no usable webhook URL for this node') as string,
			description: expect.stringContaining('WEBHOOK_URL') as string,
		});
		expect(scene.asked).toEqual([]);
	},
);

test('a test run always begins anew, whatever the subscription says', async () => {
	const { trigger } = scene.subscribed(free);
	await trigger.listen();
	scene.sandbox.requests.length = 0;
	expect(await trigger.hook('checkExists', trigger.makeWorkflow(false), true)).toBe(false);
	expect(scene.asked).toEqual([]);
});

test('an expression that fails is reported as n8n describes it', async () => {
	const trigger = scene.trigger(scene.subscription(free));
	trigger.parameters.events = '={{ $("Nowhere").item.json.events }}';
	const hook = trigger.hook('create', trigger.makeWorkflow(true), false);
	await expect(hook).rejects.toMatchObject({ name: 'ExpressionError' });
	expect(scene.changes).toEqual([]);
});

test('a change that could not be restored with another subscription is logged, and publishing succeeds', async () => {
	const subscription = scene.subscription({ ...free, active: true });
	const next = scene.subscription({ active: false }, 3);
	const trigger = scene.trigger(subscription, { options: { takeOver: true } });
	await trigger.publish();
	const path = new RegExp(subscription.subscriptionId);
	scene.sandbox.faults.add({ kind: 'status', status: 403, method: 'PATCH', path, times: 9 });
	await expect(trigger.unpublish()).rejects.toThrow('403');
	trigger.parameters.subscriptionId = next.subscriptionId;
	await trigger.publish();
	expect(next.url).toContain(trigger.productionUrl);
	expect(scene.host.log.join()).toMatch(
		new RegExp(`${subscription.subscriptionId}: could not be restored: .*403`),
	);
});
