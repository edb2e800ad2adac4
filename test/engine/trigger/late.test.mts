import { caught, setUpTrigger } from './triggerSetup.mts';
import { Trigger } from './trigger.mts';

const setup = setUpTrigger();
const used = {
	url: 'https://example.com/crm?key=k1',
	events: ['form.enriched' as const],
	active: true,
};

test.each([
	['publish', 'unpublish', true],
	['publish', 'unpublish', false],
	['listen', 'endListening', false],
] as const)(
	'what %s changes after it has timed out, %s restores in the end (active before: %s)',
	async (begin, end, active) => {
		const before = { ...used, active };
		const { subscription, trigger } = setup.subscribed(before, { options: { takeOver: true } });
		setup.faults.add({ kind: 'status', status: 504, method: 'PATCH', times: 99 });
		expect((await caught(trigger[begin]()))?.message).toContain('may have been changed');
		setup.faults.clear();
		// The service makes the change after n8n has ended the first try, and n8n or the person tries again.
		Object.assign(subscription, setup.changes[0]);
		await trigger[begin]();
		await trigger[end]();
		expect(subscription).toMatchObject(before);
	},
);

test('a copy of n8n below another path of the same host is another receiver', async () => {
	const subscription = setup.subscription({ ...used, active: false });
	const at = (path: string) =>
		new Trigger(setup.n8n, subscription.subscriptionId, {
			id: 'hook-same',
			workflowId: 'wf-1',
			address: `https://n8n.example.com/${path}`,
		});
	const production = at('prod');
	await production.publish();
	const registered = structuredClone(subscription);
	const staging = at('staging');
	const error = await caught(staging.publish());
	expect(subscription).toEqual(registered);
	expect(error?.message).toContain('is in use by');
});
