import { rmSync } from 'node:fs';
import { packageFolder } from '../../../tools/n8n/n8n.mts';
import { unpackInto } from '../../../tools/package.mts';
import { waitFor } from '../../waitFor.mts';
import { givenToTests, OwnN8n } from '../../n8n/instances.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { addSubscription, PollingTrigger, unused, WebhookTrigger } from '../../n8n/triggers.mts';

// What holds when n8n is started again, after an update and after a crash.

const setup = setUpN8n({ n8n: new OwnN8n() });
afterEach(async () => await setup.clear());

/** Of somebody else. */
const used = { ...unused, url: 'https://example.com/theirs?key=k1', active: true };
const takeOver = { takeOver: true };
const emit = async (trigger: WebhookTrigger) =>
	await waitFor('the delivery', async () => (await trigger.emit('form.submitted')) === 200);

const make = async (state: object, options = {}) =>
	await WebhookTrigger.create(setup, options, addSubscription(setup, state));

test('n8n started again, even while the service is down, changes nothing, and deliveries continue', async () => {
	const [kept, cut, moved] = [await make(used, takeOver), await make(unused), await make(unused)];
	for (const trigger of [kept, cut, moved]) await trigger.publish();
	const [{ url }, { url: cutUrl }] = [kept.subscription, cut.subscription];
	const other = { url: 'https://n8n.example/webhook/copy/webhook', active: true };
	const isDown = { path: new RegExp(cut.subscription.subscriptionId), times: 1_000 };
	const { length } = setup.sandbox.requests;
	await setup.restart('stop', () => {
		Object.assign(moved.subscription, other);
		setup.sandbox.faults.add({ kind: 'status', status: 503, ...isDown });
	});
	for (const trigger of [kept, cut]) await emit(trigger);
	if (setup.isOlder)
		for (const line of ['left unchanged at the start of n8n', 'unknown at the start of n8n'])
			await waitFor(line, () => setup.n8n.log.includes(line));
	const asked = setup.sandbox.requests.slice(length).map(({ method }) => method);
	// The older engine looks at each one.
	expect(asked.filter((method) => !setup.isOlder || method !== 'GET')).toEqual([]);
	setup.sandbox.faults.clear();
	for (const trigger of [kept, cut]) await trigger.expectRun();
	expect(kept.subscription).toMatchObject({ url, active: true });
	expect(cut.subscription).toMatchObject({ url: cutUrl, active: true });
	for (const trigger of [kept, cut, moved]) await trigger.unpublish();
	expect(kept.subscription).toMatchObject(used);
	expect(cut.subscription).toMatchObject(unused);
	expect(moved.subscription).toMatchObject(other);
}, 240_000);

test('n8n killed in the middle of a test loses no delivery of what is published', async () => {
	const live = await make(used, takeOver);
	await live.publish();
	const tested = await make(unused);
	await tested.listen();
	await setup.restart('kill');
	await emit(live);
	await live.expectRun();
	await live.unpublish();
	expect(live.subscription).toMatchObject(used);
	// Its own URL is no reason for Take Over. What was there before the test is unknown.
	expect(tested.subscription.url).toContain(tested.testUrl);
	await tested.publish();
	await tested.expectRun();
	await tested.unpublish();
	expect(tested.subscription.active).toBe(false);
}, 240_000);

test('a package that was missing at one start leaves the polling trigger failed until it is published again', async () => {
	const webhook = await WebhookTrigger.createPublished(setup);
	const polling = await PollingTrigger.create(setup);
	await polling.publish();
	const folder = packageFolder(setup.n8n.userFolder);
	const isFailed = async () =>
		(await setup.client.publicationStatus(polling.id)).status === 'failed';
	await setup.restart('stop', () => rmSync(folder, { recursive: true }));
	if (!setup.isOlder) {
		await waitFor('the failed trigger', isFailed);
		const line = 'Workflow cannot run on this instance: "Page Audience Polling Trigger"';
		expect(setup.n8n.log).toContain(line);
	}
	const missed = polling.addSession();
	await setup.restart('stop', () => unpackInto(givenToTests().tarball, folder));
	await emit(webhook);
	await webhook.expectRun();
	// The older engine activates each workflow again when it starts.
	if (!setup.isOlder) {
		expect(await isFailed()).toBe(true);
		await polling.publish();
	}
	expect(await polling.sessions(1)).toEqual([missed]);
}, 400_000);
