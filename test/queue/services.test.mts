import { itemsOf, originOf, type Execution } from '../../tools/n8n/execution.mts';
import { deliver } from '../e2e/trigger/stage.mts';
import { waitFor } from '../waitFor.mts';
import { tested } from '../e2e/workbench.mts';
import { endsWithinMs, patienceMs, QueueStage, startsWithinMs } from './queueStage.mts';

jest.setTimeout(4 * patienceMs);

let stage: QueueStage;
beforeAll(async () => {
	stage = await QueueStage.open();
}, startsWithinMs);
afterAll(async () => await stage.close(), endsWithinMs);

const contacts = Array.from({ length: 200 }, (_, index) => ({
	email: `contact.${index}@queue.example`,
}));
const free = {
	url: 'https://example.com/old?secret=s3',
	events: ['form.enriched' as const],
	active: false,
};

describe.each(['redis', 'postgres'] as const)('%s restarted', (name) => {
	const restart = async (): Promise<void> => {
		const { service } = stage.cluster[name];
		await service.stop();
		await service.start();
	};
	const isReady = async (url: string): Promise<boolean> =>
		await fetch(`${url}/healthz/readiness`).then(
			({ ok }) => ok,
			() => false,
		);
	async function untilReady(): Promise<void> {
		const { main, workers, webhooks } = stage.cluster;
		for (const { url } of [main, ...workers, ...webhooks]) {
			await waitFor(`${url} to be ready`, async () => await isReady(url), patienceMs);
		}
	}

	test('in the middle of writing: with Retry if need be, every person log is there once', async () => {
		stage.sandbox.reset();
		stage.sandbox.latencyMs = 100;
		const run = await stage.runPublished(
			{
				resource: 'personLog',
				operation: 'create',
				source: name,
				person: { email: '={{ $json.email }}' },
				options: { concurrency: 5 },
			},
			contacts,
		);
		await stage.untilReceived('createPersonLog', 50);
		await restart();
		let execution: Execution = await stage.end(run);
		process.stderr.write(`Seen: ${name} restarted while writing: ${execution.status}\n`);
		if (execution.status !== 'success') execution = await stage.end(await stage.retry(run));
		expect(execution.status).toBe('success');
		expect(itemsOf(execution, tested).map(originOf)).toEqual(contacts.map((_, index) => index));
		const { store } = stage.sandbox;
		const logged = store.personLogs
			.all()
			.map(({ personId }) => String(store.persons.get(personId)?.email));
		expect(logged.sort()).toEqual(contacts.map(({ email }) => email).sort());
	});

	test('in the middle of deliveries: those that n8n accepted start once each, or are listed as failed or running', async () => {
		stage.sandbox.reset();
		const subscription = stage.triggers.subscription(free);
		const trigger = await stage.triggers.trigger(subscription);
		await trigger.publish();
		const statuses: Record<number, number> = {};
		let isOver = false;
		async function send(n: number): Promise<void> {
			statuses[n] = await deliver(subscription.url, { event: 'form.submitted', n });
		}
		async function sendOneAfterAnother(): Promise<void> {
			for (let n = 0; !isOver; n++) await send(n);
		}
		const sending = sendOneAfterAnother();
		await waitFor('the first deliveries', () => Object.keys(statuses).length >= 10, patienceMs);
		await restart();
		await untilReady();
		const during = Object.keys(statuses).length;
		await waitFor('more deliveries', () => Object.keys(statuses).length >= during + 10, patienceMs);
		isOver = true;
		await sending;
		const accepted = Object.keys(statuses)
			.map(Number)
			.filter((n) => statuses[n] === 200);
		const list = async () => await trigger.listExecutions();
		await waitFor(
			'all executions',
			async () => (await list()).length >= accepted.length,
			patienceMs,
		);
		// An execution whose end n8n could not store, because its database was away, is listed as running for good.
		const runs = await trigger
			.runs(accepted.length, patienceMs)
			.catch(async () => await trigger.runsSoFar());
		const total = (await list()).length;
		const succeeded = runs.filter(({ status }) => status === 'success');
		const started = succeeded.map(({ items }) => Number(items[0]?.n));
		const missing = accepted.filter((n) => !started.includes(n));
		const other = Object.values(statuses).filter((status) => status !== 200);
		process.stderr.write(
			`Seen: ${name} restarted: ${accepted.length} deliveries accepted, ${other.length} answered ${[...new Set(other)].join(', ')}, ${started.length} executions succeeded, ${runs.length - started.length} did not, ${total - runs.length} stayed listed as running\n`,
		);
		expect(new Set(started).size).toBe(started.length);
		// What n8n accepted and could not execute to its end is in the list of executions, as failed or running.
		expect(total - started.length).toBeGreaterThanOrEqual(missing.length);
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});
});
