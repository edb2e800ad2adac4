import { setUpScene } from './scene.mts';

const scene = setUpScene();

const crm = { url: 'https://example.com/crm', events: ['form.enriched' as const], active: true };
const takeOver = { options: { takeOver: true } };

/** Published, and for a while. */
async function publish() {
	const { subscription, trigger } = scene.subscribed(crm, takeOver);
	await trigger.publish();
	scene.pass(10_000);
	return { subscription, trigger };
}

describe('a start of n8n with the older engine, which publishes again', () => {
	test('changes nothing, and sends nothing', async () => {
		const { subscription, trigger } = await publish();
		const before = { ...subscription };
		const { length } = scene.changes;
		await trigger.startOlderEngine();
		expect(subscription).toEqual(before);
		expect(scene.changes).toHaveLength(length);
		await trigger.unpublish();
		expect(subscription).toMatchObject(crm);
	});

	test('leaves a subscription that a person pointed elsewhere', async () => {
		const { subscription, trigger } = await publish();
		const theirs = {
			url: 'https://example.com/billing',
			events: ['page.version.created' as const],
		};
		Object.assign(subscription, theirs);
		await trigger.startOlderEngine();
		expect(subscription).toMatchObject({ ...theirs, active: true });
		const left = 'left unchanged, because it now delivers to https://example.com/billing';
		expect(scene.host.log.join()).toContain(left);
		await trigger.unpublish();
		expect(subscription).toMatchObject(theirs);
	});

	test('leaves it to a trigger that took it over', async () => {
		const { subscription, trigger } = await publish();
		const next = scene.trigger(subscription, takeOver);
		await next.publish();
		scene.pass(10_000);
		await trigger.startOlderEngine();
		await next.startOlderEngine();
		expect(subscription.url).toContain(next.productionUrl);
		await next.unpublish();
		await trigger.unpublish();
		expect(subscription).toMatchObject(crm);
	});

	test.each([{ active: false }, { events: ['form.enriched' as const] }])(
		'keeps what a person changed: %j',
		async (change) => {
			const { subscription, trigger } = await publish();
			Object.assign(subscription, change);
			const before = { ...subscription };
			await trigger.startOlderEngine();
			expect(subscription).toEqual(before);
			// Publishing does overwrite it.
			await trigger.publish();
			expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
		},
	);

	test('after a crash during a test run beside production ends what that added', async () => {
		const { subscription, trigger } = await publish();
		const { url } = subscription;
		trigger.parameters = { ...trigger.parameters, events: ['form.enriched'] };
		await trigger.listen();
		expect(subscription.events).toEqual(['form.submitted', 'form.enriched']);
		trigger.kill();
		trigger.parameters = { ...trigger.parameters, events: ['form.submitted'] };
		scene.pass(10_000);
		await trigger.startOlderEngine();
		expect(subscription).toMatchObject({ url, events: ['form.submitted'], active: true });
	});

	test.each(['restore', 'leave'])(
		'publishes what was not published yet, after an end with %s',
		async (onDeactivate) => {
			const { subscription, trigger } = await publish();
			trigger.parameters = {
				...trigger.parameters,
				options: { ...takeOver.options, onDeactivate },
			};
			await trigger.publish();
			await trigger.unpublish();
			Object.assign(subscription, crm);
			scene.pass(10_000);
			await trigger.startOlderEngine();
			expect(subscription.url).toContain(trigger.productionUrl);
		},
	);
});
