import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../../tools/command.mts';
import { N8n, packageFolder } from '../../tools/n8n/n8n.mts';
import { unpackInto } from '../../tools/package.mts';
import { makeTemporaryFolder, removeFolder } from '../../tools/temporary.mts';
import { PollingStage } from './polling/pollingStage.mts';
import { packageForTests, testedRelease, withoutRunner } from './sharedN8n.mts';
import { deliver, Stage } from './trigger/stage.mts';

// The commands of docs/running.md, with a tarball in place of the registry.

const name = 'n8n-nodes-page-audience';
const free = {
	url: 'https://example.com/old?secret=s3',
	events: ['form.enriched' as const],
	active: false,
};

const { N8N_FOR_TESTS_FOLDER: usedFolder = '' } = process.env;
const n8n = new N8n({
	release: testedRelease(),
	env: withoutRunner,
	withEditor: false,
});
const nodesFolder = join(n8n.userFolder, '.n8n/nodes');
const tarballs = makeTemporaryFolder();
let stage: Stage;
let polling: PollingStage;

beforeAll(async () => {
	// n8n has run in this folder before.
	cpSync(usedFolder, n8n.userFolder, { recursive: true });
	await install(packageForTests());
	const url = await n8n.start();
	stage = await Stage.open(url);
	polling = await PollingStage.open(url, 'newer');
}, 360_000);
afterAll(async () => {
	await polling.close();
	await stage.close().finally(async () => await n8n.remove());
	removeFolder(tarballs);
}, 60_000);

/** Offline, npm fails if the package makes it install anything else. */
async function install(tarball: string, folder = nodesFolder): Promise<void> {
	await runNpm('install', '--offline', '--prefix', folder, tarball);
}

async function restart(): Promise<void> {
	await n8n.stop();
	const url = await n8n.start();
	await stage.reconnect(url);
	await polling.reconnect(url);
}

const listInstalled = (folder = nodesFolder): string[] =>
	readdirSync(join(folder, 'node_modules')).filter((entry) => !entry.startsWith('.'));

function readVersion(): string {
	const manifest = readFileSync(join(packageFolder(n8n.userFolder), 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}

/** The same package under another version. */
async function packAs(version: string): Promise<string> {
	const folder = join(tarballs, version);
	unpackInto(packageForTests(), folder);
	const path = join(folder, 'package.json');
	const manifest = JSON.parse(readFileSync(path, 'utf8')) as object;
	writeFileSync(path, JSON.stringify({ ...manifest, version }));
	await runNpm('pack', folder, '--ignore-scripts', '--pack-destination', tarballs);
	return join(tarballs, `${name}-${version}.tgz`);
}

test('npm installs the package alone, and Settings > Community nodes does not list it', async () => {
	expect(listInstalled()).toEqual([name]);
	expect(await stage.client.session.request('GET', '/rest/community-packages')).toEqual([]);
});

test('beside a package that requires n8n-workflow, npm installs it alone with two options', async () => {
	const folder = join(tarballs, 'shared');
	const other = join(tarballs, 'n8n-nodes-other');
	mkdirSync(other);
	const manifest = { name: 'n8n-nodes-other', version: '1.0.0' };
	const peerDependencies = { 'n8n-workflow': '*' };
	writeFileSync(join(other, 'package.json'), JSON.stringify({ ...manifest, peerDependencies }));
	const options = ['--legacy-peer-deps', '--ignore-scripts'];
	const command = ['install', '--offline', '--prefix', folder, ...options];
	await runNpm(...command, '--install-links', other);
	await runNpm(...command, packageForTests());
	expect(listInstalled(folder)).toEqual(['n8n-nodes-other', name]);
});

test('published workflows continue after an update, without publishing them again', async () => {
	const subscription = stage.subscription(free);
	const trigger = await stage.trigger(subscription);
	await trigger.publish();
	const poller = await polling.create({ event: 'newSession', pageId: polling.pageId });
	await poller.publish();
	const first = { status: 'success', ids: [polling.addSession()] };
	expect(await stage.emit(subscription, 'form.submitted')).toMatchObject({ status: 200 });
	expect(await trigger.runs(1)).toHaveLength(1);
	expect(await poller.runs(1)).toEqual([first]);
	const { url } = subscription;
	const asked = stage.requestsOf(subscription).length;

	await install(await packAs('99.0.0'));
	expect(readVersion()).toBe('99.0.0');
	expect(listInstalled()).toEqual([name]);
	const { polls } = polling;
	await restart();

	expect(await stage.emit(subscription, 'form.submitted')).toMatchObject({ status: 200 });
	expect(await trigger.runs(2)).toMatchObject([{ mode: 'webhook' }, { mode: 'webhook' }]);
	expect(stage.requestsOf(subscription)).toHaveLength(asked);
	expect(subscription).toMatchObject({ url, active: true });
	if (polling.polls === polls) await polling.untilPolled();
	const second = { status: 'success', ids: [polling.addSession()] };
	expect(await poller.runs(2)).toEqual([first, second]);

	await poller.unpublish();
	await trigger.unpublish();
	expect(subscription).toMatchObject(free);
	await stage.clear();
}, 400_000);

test('uninstalled under published workflows, subscriptions stay with n8n until the package is back', async () => {
	const subscriptions = [stage.subscription(free), stage.subscription(free)];
	const [kept, unpublished] = subscriptions;
	const keptTrigger = await stage.trigger(kept);
	const unpublishedTrigger = await stage.trigger(unpublished);
	await keptTrigger.publish();
	await unpublishedTrigger.publish();
	const urls = subscriptions.map(({ url }) => url);

	await runNpm('uninstall', '--offline', '--prefix', nodesFolder, name);
	expect(listInstalled()).toEqual([]);
	await restart();
	for (const url of urls) expect(await deliver(url, { event: 'form.submitted' })).toBe(400);
	await unpublishedTrigger.unpublish();
	expect(await deliver(unpublished.url, { event: 'form.submitted' })).toBe(404);
	expect(subscriptions.map(({ url, active }) => ({ url, active }))).toEqual(
		urls.map((url) => ({ url, active: true })),
	);

	await install(packageForTests());
	expect(readVersion()).not.toBe('99.0.0');
	await restart();
	expect(await stage.emit(kept, 'form.submitted')).toMatchObject({ status: 200 });
	expect(await keptTrigger.runs(1)).toMatchObject([{ mode: 'webhook', status: 'success' }]);
	await keptTrigger.unpublish();
	expect(kept).toMatchObject(free);
	await unpublishedTrigger.publish();
	await unpublishedTrigger.unpublish();
	expect(unpublished).toMatchObject(free);
	await stage.clear();
}, 400_000);
