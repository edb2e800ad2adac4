import { itemsOf } from '../../tools/n8n/execution.mts';
import { PollingStage } from './polling/pollingStage.mts';
import { OwnN8n } from './trigger/ownN8n.mts';
import { Stage } from './trigger/stage.mts';
import { describeWorkflow, tested, trigger as start } from './workbench.mts';

/** What n8n's start announces for a later version: by its variable, and with the environment that tries it today. */
const announcements: Record<string, (url: string) => NodeJS.ProcessEnv> = {
	N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: () => ({
		N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: String(256 * 2 ** 20),
	}),
	N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: () => ({ N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000' }),
	// Nobody starts a runner here: the nodes need none.
	N8N_RUNNERS_MODE: () => ({ N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'local-only' }),
	N8N_RUNNERS_TASK_TIMEOUT: () => ({ N8N_RUNNERS_TASK_TIMEOUT: '60' }),
	N8N_UNVERIFIED_PACKAGES_ENABLED: () => ({ N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' }),
	WEBHOOK_URL: (url) => ({ WEBHOOK_URL: undefined, N8N_WEBHOOK_URL: url }),
};
/** No variable changes that, and nothing in the nodes depends on it. */
const container = 'Running n8n outside a container is deprecated.';

/** The lines of n8n's list, which ends with an empty line. */
function readAnnounced(log: string): string[] {
	const [, list = ''] = /deprecations? related to your n8n setup.*\n((?: - .*\n)*)/.exec(log) ?? [];
	const lines = list.split('\n').map((line) => line.slice(' - '.length));
	return lines.filter((line) => line !== '' && !line.startsWith(container));
}

// The other tests save time here. This one has n8n's own defaults.
const n8n = new OwnN8n({
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: undefined,
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: undefined,
	N8N_RUNNERS_MODE: undefined,
	N8N_RUNNERS_AUTH_TOKEN: undefined,
});
let today: string[];
let later: string[];
let stage: Stage;
let polling: PollingStage;

beforeAll(async () => {
	// Set, it announces nothing.
	const url = await n8n.start({ N8N_UNVERIFIED_PACKAGES_ENABLED: undefined });
	const { log } = n8n;
	today = readAnnounced(log);
	await n8n.stop();
	const names = today.map((line) => line.split(' -> ')[0]);
	const known = names.map((name) => announcements[name]?.(`${url}/`) ?? {});
	await n8n.start(Object.assign({}, ...known) as NodeJS.ProcessEnv);
	later = readAnnounced(n8n.log.slice(log.length));
	stage = await Stage.open(url);
	polling = await PollingStage.open(url, 'newer');
}, 360_000);
afterAll(async () => {
	await polling.close();
	await stage.close().finally(async () => await n8n.remove());
}, 60_000);

test('n8n announces nothing that is not tried here', () => {
	expect(today).not.toEqual([]);
	expect(today.filter((line) => !(line.split(' -> ')[0] in announcements))).toEqual([]);
});

test('n8n announces nothing more to an instance that has the announced values', () => {
	expect(later).toEqual([]);
});

test('the nodes work with the announced values', async () => {
	const { client, credential } = stage;
	const people = ['ada', 'ben'].map((name) => ({ name, host: 'announced.example' }));
	const parameters = {
		resource: 'person',
		operation: 'create',
		name: '={{ $json.name }}',
		additionalFields: { email: '={{ `${$json.name}@${$json.host}` }}' },
	};
	const { id } = await client.createWorkflow(describeWorkflow(parameters, credential));
	const items = people.map((json) => ({ json }));
	const execution = await client.waitForExecution(await client.runWorkflow(id, start, items));
	expect(itemsOf(execution, tested).map(({ json }) => json.email)).toEqual([
		'ada@announced.example',
		'ben@announced.example',
	]);

	const subscription = stage.subscription();
	const trigger = await stage.trigger(subscription);
	await trigger.publish();
	const sent = await stage.emit(subscription, 'form.submitted', { email: 'a@example.com' });
	expect(await trigger.runs(1)).toMatchObject([{ status: 'success', items: [sent?.payload] }]);

	const workflow = await polling.create({ event: 'newSession', pageId: polling.pageId });
	await workflow.publish();
	const ids = [polling.addSession(1), polling.addSession()];
	expect(await workflow.runs(1)).toEqual([{ status: 'success', ids }]);
}, 300_000);
