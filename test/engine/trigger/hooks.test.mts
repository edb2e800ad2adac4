import { setUpScene } from './scene.mts';

const scene = setUpScene();

const free = { url: 'https://example.com/old', events: ['form.enriched' as const], active: false };

test('a node without a webhook ID, as n8n imports it, has that of the workflow and its own name', async () => {
	const imported = { id: null, workflowId: 'workflow7', name: 'Form' };
	const { subscription, trigger } = scene.subscribed(free, imported);
	await trigger.publish();
	expect(subscription.url).toContain('/webhook/workflow7/form/webhook?');
	expect(await scene.deliver(subscription.url, { a: 1 })).toBe(200);
	expect(scene.host.executions).toHaveLength(1);
	await trigger.listen();
	await trigger.endListening();
	await trigger.unpublish();
	expect(subscription).toMatchObject(free);
});

test.each([
	[
		'without a webhook ID, if n8n would respond with 404 because of its name',
		{ id: null },
		/^n8n gave this trigger no webhook ID/,
		/in the editor and save it.* Nothing was changed\.$/,
	],
	[
		'with an address of n8n that no service can reach',
		{ address: 'http://localhost:5678' },
		/^The service cannot reach this n8n at http:\/\/localhost:5678\. Set WEBHOOK_URL to an address that can be reached from the internet\.$/,
		/^Nothing was changed\.$/,
	],
	[
		'with an unusable address of n8n',
		{ address: 'nowhere' },
		/^n8n has no usable webhook URL for this node/,
		/WEBHOOK_URL/,
	],
])('a trigger %s is refused', async (_, setup, message, description) => {
	const { trigger } = scene.subscribed(free, setup);
	for (const isTest of [false, true])
		await expect(trigger.hook('create', undefined, isTest)).rejects.toMatchObject({
			message: expect.stringMatching(message) as string,
			description: expect.stringMatching(description) as string,
		});
	expect(scene.requests).toEqual([]);
});

// `test/unit/api/url.test.mts` has which addresses these are.
test.each([
	['http://10.0.0.7:5678', true],
	['https://n8n.example.com', false],
])("n8n's own address %s writes a line in the log if it only looks private: %s", async (...row) => {
	const [address, isWarned] = row;
	await scene.subscribed(free, { address }).trigger.publish();
	const line = `Page Audience Trigger: ${address} looks like an address that the service cannot reach. If no deliveries arrive, set WEBHOOK_URL.`;
	expect(scene.host.log.join().includes(line)).toBe(isWarned);
});

test('an expression that fails is reported as n8n describes it', async () => {
	const { trigger } = scene.subscribed(free, { events: '={{ $("Nowhere").item.json.events }}' });
	await expect(trigger.hook('create')).rejects.toMatchObject({ name: 'ExpressionError' });
	expect(scene.changes).toEqual([]);
});
