import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect } from '../../../tools/n8n/client.mts';
import { N8n, packageFolder } from '../../../tools/n8n/n8n.mts';
import { unpackInto } from '../../../tools/package.mts';
import { makeTemporaryFolder, removeFolder } from '../../../tools/temporary.mts';
import { waitFor } from '../../waitFor.mts';
import { givenToTests, OwnN8n } from '../../n8n/instances.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import {
	addSubscription,
	PollingTrigger,
	untilRestored,
	unused,
	WebhookTrigger,
} from '../../n8n/triggers.mts';

// What holds when n8n is started again, after an update and after a crash.

const setup = setUpN8n({ n8n: new OwnN8n() });
afterEach(async () => await setup.clear());

/** Of somebody else. */
const used = { ...unused, url: 'https://example.com/theirs?key=k1', active: true };
const takeOver = { takeOver: true };

const make = async (state: object, options = {}) =>
	await WebhookTrigger.create(setup, options, addSubscription(setup, state));

test('n8n stopped, and started while the service is down, changes nothing, and deliveries continue', async () => {
	const trigger = await WebhookTrigger.createPublished(setup);
	await trigger.expectRun();
	const { url } = trigger.subscription;
	const { length } = setup.sandbox.requests;
	const { faults, requests } = setup.sandbox;
	await setup.restart('stop', () => faults.add({ kind: 'status', status: 503, times: 2 }));
	// The older engine publishes each trigger again when it starts. It fails with two requests, and tries again.
	const isTriedAgain = () => requests.slice(length).some(({ method }) => method === 'PATCH');
	if (setup.isOlder) await waitFor('the next try', isTriedAgain);
	else expect(requests).toHaveLength(length);
	await waitFor('the delivery', async () => (await trigger.emit('form.submitted')) === 200);
	expect(await trigger.runs(2)).toHaveLength(2);
	expect(trigger.subscription).toMatchObject({ url, active: true });
	faults.clear();
	await trigger.unpublish();
	expect(trigger.subscription).toMatchObject(unused);
}, 240_000);

test('a start of n8n takes no subscription from another receiver', async () => {
	const [kept, lost] = [await make(used, takeOver), await make(used, takeOver)];
	for (const trigger of [kept, lost]) await trigger.publish();
	const { url } = kept.subscription;
	const other = { url: 'https://n8n.example/webhook/copy/webhook', active: true };
	await setup.restart('stop', () => Object.assign(lost.subscription, other));
	await waitFor('the delivery', async () => (await kept.emit('form.submitted')) === 200);
	await kept.expectRun();
	// The older engine publishes one trigger after another.
	await lost.unpublish();
	expect(kept.subscription).toMatchObject({ url, active: true });
	expect(lost.subscription).toMatchObject(other);
}, 240_000);

test('unpublishing in a restored backup leaves the subscription to n8n at the same address', async () => {
	const trigger = await WebhookTrigger.createPublished(setup);
	const { url } = trigger.subscription;
	const { tarball, release, env } = givenToTests();
	const address = `${new URL(url).origin}/`;
	const backup = makeTemporaryFolder();
	await setup.restart('stop', () => cpSync(setup.n8n.userFolder, backup, { recursive: true }));
	const sameAddress = { ...env, WEBHOOK_URL: address, N8N_WEBHOOK_URL: address };
	const copy = new N8n({ tarball, release, copyOf: backup, env: sameAddress, withEditor: false });
	try {
		const client = await connect(await copy.start());
		await client.deactivate(trigger.id);
		const line = `left unchanged, because another n8n takes its deliveries at ${address}`;
		await waitFor('the line', () => copy.log.includes(line));
		expect(trigger.subscription).toMatchObject({ url, active: true });
		await trigger.expectRun();
	} finally {
		await copy.remove();
		removeFolder(backup);
	}
	await trigger.unpublish();
	expect(trigger.subscription).toMatchObject(unused);
}, 240_000);

test('n8n killed in the middle of test runs loses no delivery, and each subscription is restored', async () => {
	const live = await make(unused);
	const beside = await make(unused);
	const alone = await make(used, takeOver);
	for (const trigger of [live, beside]) await trigger.publish();
	const { url } = beside.subscription;
	for (const trigger of [beside, alone]) await trigger.listen();
	expect(beside.subscription.url).toContain('test=');
	await setup.restart('kill');
	await waitFor('the first delivery', async () => (await live.emit('form.submitted')) === 200);
	await live.expectRun();

	// Production continues, and the next test run removes what the last one added.
	await beside.expectRun();
	await beside.listen();
	await beside.stopListening();
	await untilRestored(beside.subscription, { url });
	await beside.unpublish();
	expect(beside.subscription).toMatchObject(unused);

	// Publishing finds the earlier state, and its own URL is no reason for Take Over.
	expect(alone.subscription.url).toContain(alone.testUrl);
	await alone.change({ options: {} });
	await alone.publish();
	await alone.expectRun();
	await alone.unpublish();
	expect(alone.subscription).toMatchObject(used);
}, 240_000);

test('a subscription is restored even if n8n has lost the static data', async () => {
	const [kept, other] = [await make(used, takeOver), await make(unused)];
	for (const trigger of [kept, other]) await trigger.publish();
	await setup.restart('stop', () => {
		const database = new DatabaseSync(join(setup.n8n.userFolder, '.n8n/database.sqlite'));
		database.exec('UPDATE workflow_entity SET "staticData" = NULL');
		database.close();
	});
	// The older engine publishes each trigger again when it starts.
	if (!setup.isOlder) expect(await kept.readStaticData()).toBe('{}');
	await waitFor('the delivery', async () => (await kept.emit('form.submitted')) === 200);
	for (const trigger of [kept, other]) await trigger.unpublish();
	expect(kept.subscription).toMatchObject(used);
	expect(other.subscription).toMatchObject(unused);
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
	await waitFor('the delivery', async () => (await webhook.emit('form.submitted')) === 200);
	await webhook.expectRun();
	// The older engine activates each workflow again when it starts.
	if (!setup.isOlder) {
		expect(await isFailed()).toBe(true);
		await polling.publish();
	}
	expect(await polling.sessions(1)).toEqual([missed]);
}, 400_000);
