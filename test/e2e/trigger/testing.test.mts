import { differencesOf } from '../../../tools/n8n/release.mts';
import { givenToTests } from '../../n8n/instances.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import {
	addSubscription,
	deliver,
	untilRestored,
	unused,
	WebhookTrigger,
} from '../../n8n/triggers.mts';

/** Where saving publishes, a test run never has other parameters than production. */
const { savingPublishes } = differencesOf(givenToTests().release.version);

const setup = setUpN8n();
afterEach(async () => await setup.clear());

describe('a test run without a published workflow', () => {
	test('shows the event, and restores the subscription after it', async () => {
		const trigger = await WebhookTrigger.create(setup);
		await trigger.listen();
		expect(trigger.subscription.url).toContain(trigger.testUrl);
		// A delivery that is rejected, or not chosen, does not end it.
		expect(await deliver(trigger.testUrl, { event: 'form.submitted' })).toBe(401);
		expect(await deliver(trigger.subscription.url, { event: 'form.enriched' })).toBe(200);
		expect(await trigger.emit('form.submitted', { a: 1 })).toBe(200);
		expect(await trigger.runs(1)).toEqual([
			{ mode: 'manual', status: 'success', items: [{ event: 'form.submitted', data: { a: 1 } }] },
		]);
		await untilRestored(trigger.subscription, unused);
	});

	test('shows why it cannot begin', async () => {
		const used = { ...unused, active: true };
		const trigger = await WebhookTrigger.create(setup, {}, addSubscription(setup, used));
		await expect(trigger.listen()).rejects.toThrow(/Take Over/);
		expect(trigger.subscription).toMatchObject(used);
	});

	test('gives way to publishing, and changes nothing at its end', async () => {
		const trigger = await WebhookTrigger.create(setup);
		await trigger.listen();
		await trigger.publish();
		const { url } = trigger.subscription;
		expect(url).toContain(trigger.productionUrl);
		await trigger.stopListening();
		expect(await trigger.emit('form.submitted')).toBe(200);
		expect(await trigger.runs(1)).toMatchObject([{ mode: 'webhook' }]);
		expect(trigger.subscription).toMatchObject({ url, active: true });
		await trigger.unpublish();
		expect(trigger.subscription).toMatchObject(unused);
	});
});

describe('a test run beside the published workflow', () => {
	test('runs both with the same events, of which production loses none', async () => {
		const trigger = await WebhookTrigger.createPublished(setup);
		const { url } = trigger.subscription;
		await trigger.listen();
		expect(trigger.subscription.url.split('?')[0]).toBe(trigger.productionUrl);
		expect(new URL(trigger.subscription.url).searchParams.get('test')).toBeTruthy();
		const numbers = Array.from({ length: 10 }, (_, n) => n);
		const emit = async (n: number) => await trigger.emit('form.submitted', { n });
		expect(await Promise.all(numbers.map(emit))).toEqual(numbers.map(() => 200));
		await untilRestored(trigger.subscription, { url, events: ['form.submitted'] });
		const runs = await trigger.runs(11);
		const numbersOf = (mode: string) =>
			runs.flatMap((run) => (run.mode === mode ? [(run.items[0].data as { n: number }).n] : []));
		expect(numbersOf('webhook').sort((a, b) => a - b)).toEqual(numbers);
		expect(numbersOf('manual').length).toBeGreaterThan(0);
		await trigger.unpublish();
		expect(trigger.subscription).toMatchObject(unused);
	});

	(savingPublishes ? test.skip : test)(
		'starts each with the kinds that it chose, and removes its additions when cancelled',
		async () => {
			const trigger = await WebhookTrigger.createPublished(setup);
			const { url } = trigger.subscription;
			await trigger.change({ events: ['form.enriched'] });
			await trigger.listen();
			expect(trigger.subscription.events).toEqual(['form.submitted', 'form.enriched']);
			expect(await trigger.emit('form.submitted')).toBe(200);
			expect(await trigger.runs(1)).toMatchObject([{ mode: 'webhook' }]);
			await trigger.stopListening();
			await untilRestored(trigger.subscription, { url, events: ['form.submitted'] });
			expect(await trigger.countRuns()).toBe(1);
		},
	);
});
