import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../../tools/command.mts';
import { N8n, packageFolder } from '../../tools/n8n/n8n.mts';
import { unpackInto } from '../../tools/package.mts';
import { makeTemporaryFolder, removeFolder } from '../../tools/temporary.mts';
import { givenToTests, withoutRunner } from '../n8n/instances.mts';
import { setUpN8n } from '../n8n/n8nSetup.mts';
import { deliver, PollingTrigger, unused, WebhookTrigger } from '../n8n/triggers.mts';

// The commands of docs/running.md.

const name = 'n8n-nodes-page-audience';
const tarballs = makeTemporaryFolder();

const { release, tarball, userFolder } = givenToTests();
const n8n = new N8n({ release, env: withoutRunner, withEditor: false });
const nodesFolder = join(n8n.userFolder, '.n8n/nodes');
beforeAll(async () => {
	// n8n has run in this folder before.
	cpSync(userFolder, n8n.userFolder, { recursive: true });
	await install(tarball);
}, 120_000);
const setup = setUpN8n({ n8n });
afterAll(() => removeFolder(tarballs));

/** Offline, npm fails if the package makes it install anything else. */
async function install(file: string): Promise<void> {
	await runNpm('install', '--offline', '--prefix', nodesFolder, file);
}

const listInstalled = (folder = nodesFolder): string[] =>
	readdirSync(join(folder, 'node_modules')).filter((entry) => !entry.startsWith('.'));

const readManifest = (folder: string) =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
const readVersion = () => readManifest(packageFolder(n8n.userFolder)).version;

/** The same package under another version. */
async function packAs(version: string): Promise<string> {
	const folder = join(tarballs, version);
	unpackInto(tarball, folder);
	const manifest = JSON.stringify({ ...readManifest(folder), version });
	writeFileSync(join(folder, 'package.json'), manifest);
	await runNpm('pack', folder, '--ignore-scripts', '--pack-destination', tarballs);
	return join(tarballs, `${name}-${version}.tgz`);
}

test('npm installs the package alone, and Settings > Community nodes does not list it', async () => {
	expect(listInstalled()).toEqual([name]);
	expect(await setup.client.session.request('GET', '/rest/community-packages')).toEqual([]);
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
	await runNpm(...command, tarball);
	expect(listInstalled(folder)).toEqual(['n8n-nodes-other', name]);
});

test('published workflows continue after an update, without publishing them again', async () => {
	const webhook = await WebhookTrigger.createPublished(setup);
	const polling = await PollingTrigger.create(setup);
	await polling.publish();
	const first = polling.addSession();
	expect(await polling.sessions(1)).toEqual([first]);
	const { url } = webhook.subscription;

	await install(await packAs('99.0.0'));
	expect(readVersion()).toBe('99.0.0');
	expect(listInstalled()).toEqual([name]);
	await setup.restart('stop');

	await webhook.expectRun();
	expect(webhook.subscription).toMatchObject({ url, active: true });
	const second = polling.addSession();
	expect(await polling.sessions(2)).toEqual([first, second]);
	await setup.clear();
}, 400_000);

test('uninstalled under a published workflow, the subscription stays with n8n until the package is back', async () => {
	const trigger = await WebhookTrigger.createPublished(setup);
	const { url } = trigger.subscription;

	await runNpm('uninstall', '--offline', '--prefix', nodesFolder, name);
	expect(listInstalled()).toEqual([]);
	await setup.restart('stop');
	expect(await deliver(url, { event: 'form.submitted' })).toBe(400);
	await trigger.unpublish();
	expect(await deliver(url, { event: 'form.submitted' })).toBe(404);
	expect(trigger.subscription.url).toBe(url);

	await install(tarball);
	expect(readVersion()).not.toBe('99.0.0');
	await setup.restart('stop');
	await trigger.publish();
	await trigger.expectRun();
	await trigger.unpublish();
	expect(trigger.subscription).toMatchObject(unused);
}, 400_000);
