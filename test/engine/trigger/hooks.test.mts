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
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('is refused if n8n would respond with 404 because of its name', async () => {
		const { trigger } = scene.subscribed(free, imported);
		const refusal = {
			message: expect.stringContaining('n8n gave this trigger no webhook ID') as string,
			description: expect.stringContaining('in the editor and save it') as string,
		};
		await expect(trigger.publish()).rejects.toMatchObject(refusal);
		await expect(trigger.listen()).rejects.toMatchObject(refusal);
		expect(scene.changes).toEqual([]);
	});
});

// `test/unit/api/hostReach.test.mts` has which addresses these are.
describe("n8n's own address", () => {
	const publicApi = { credential: { baseUrl: 'https://api.example.invalid', apiKey: 'k' } };

	test('that no service can reach is refused', async () => {
		const address = 'http://localhost:5678';
		const { trigger } = scene.subscribed(free, { address, ...publicApi });
		const refusal = {
			message: `The service cannot reach this n8n at ${address}. Set WEBHOOK_URL to an address that can be reached from the internet.`,
			description: 'Nothing was changed.',
		};
		await expect(trigger.hook('create')).rejects.toMatchObject(refusal);
		await expect(trigger.listen()).rejects.toMatchObject(refusal);
	});

	test.each([
		['http://10.0.0.7:5678', true],
		['https://n8n.example.com', false],
	])('%s writes a line in the log if it only looks private: %s', async (address, isWarned) => {
		const { trigger } = scene.subscribed(free, { address, ...publicApi });
		await expect(trigger.hook('create')).rejects.not.toThrow('WEBHOOK_URL');
		const line = `Page Audience Trigger: ${address} looks like an address that the service cannot reach. If no deliveries arrive, set WEBHOOK_URL.`;
		expect(scene.host.log.join().includes(line)).toBe(isWarned);
	});

	test('that is unusable is refused, and the message names WEBHOOK_URL', async () => {
		const { trigger } = scene.subscribed(free);
		trigger.base = 'nowhere';
		await expect(trigger.hook('create')).rejects.toMatchObject({
			message: expect.stringContaining('n8n has no usable webhook URL for this node') as string,
			description: expect.stringContaining('WEBHOOK_URL') as string,
		});
		expect(scene.asked).toEqual([]);
	});
});

test('an expression that fails is reported as n8n describes it', async () => {
	const { trigger } = scene.subscribed(free);
	trigger.parameters.events = '={{ $("Nowhere").item.json.events }}';
	await expect(trigger.hook('create')).rejects.toMatchObject({ name: 'ExpressionError' });
	expect(scene.changes).toEqual([]);
});
