import { itemsOf } from '../../tools/n8n/execution.mts';
import { OwnN8n } from '../n8n/instances.mts';
import { openStage, tested } from '../n8n/stage.mts';
import { PollingTrigger, WebhookTrigger } from '../n8n/triggers.mts';

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
	// Set, it announces nothing.
	N8N_UNVERIFIED_PACKAGES_ENABLED: undefined,
});
const stage = openStage({ n8n });

test('n8n announces nothing that is not tried here, and the nodes work with what it announces', async () => {
	const today = readAnnounced(n8n.log).map((line) => line.split(' -> ')[0]);
	expect(today).not.toEqual([]);
	expect(today.filter((name) => !(name in announcements))).toEqual([]);
	const { length } = n8n.log;
	const announced = today.map((name) => announcements[name](`${n8n.url}/`));
	await stage.restart('stop', { env: Object.assign({}, ...announced) as NodeJS.ProcessEnv });
	expect(readAnnounced(n8n.log.slice(length))).toEqual([]);

	const parameters = {
		resource: 'person',
		operation: 'create',
		name: '={{ $json.name }}',
		additionalFields: { email: '={{ `${$json.name}@announced.example` }}' },
	};
	const execution = await stage.run(parameters, [{ name: 'ada' }, { name: 'ben' }]);
	expect(itemsOf(execution, tested).map(({ json }) => json.email)).toEqual([
		'ada@announced.example',
		'ben@announced.example',
	]);
	const webhook = await WebhookTrigger.create(stage);
	await webhook.publish();
	expect(await webhook.emit('form.submitted')).toBe(200);
	expect(await webhook.runs(1)).toMatchObject([{ status: 'success' }]);
	const polling = await PollingTrigger.create(stage);
	await polling.publish();
	const added = [polling.addSession(1), polling.addSession()];
	expect((await polling.sessions(2)).sort()).toEqual(added.sort());
}, 400_000);
