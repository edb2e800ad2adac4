import type { RecordedRequest } from '../../sandbox/index.mts';
import { itemsOf, originOf, type Execution, type JsonObject } from '../../tools/n8n/execution.mts';
import { waitFor } from '../waitFor.mts';
import { tested } from '../e2e/workbench.mts';
import type { Published } from './published.mts';
import { endsWithinMs, patienceMs, QueueStage, startsWithinMs } from './queueStage.mts';

jest.setTimeout(2 * patienceMs);

let stage: QueueStage;
beforeAll(async () => {
	stage = await QueueStage.open();
}, startsWithinMs);
afterAll(async () => await stage.close(), endsWithinMs);

test('1,000 person logs are written once each, in one execution on one worker', async () => {
	const contacts = Array.from({ length: 1_000 }, (_, index) => ({
		email: `person.${index}@queue.example`,
	}));
	stage.sandbox.reset();
	const run = await stage.run(
		{
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			person: { email: '={{ $json.email }}' },
		},
		contacts,
	);
	const execution = await stage.end(run);
	expect(execution.status).toBe('success');
	const items = itemsOf(execution, tested);
	expect(items.map(originOf)).toEqual(contacts.map((_, index) => index));
	const { store } = stage.sandbox;
	const emails = store.personLogs.all().map(({ personId }) => store.persons.get(personId)?.email);
	expect(emails.sort()).toEqual(contacts.map(({ email }) => email).sort());
	expect(stage.requestsOf('createPersonLog')).toHaveLength(contacts.length);
	expect(stage.cluster.findWorker(execution.id)).toBeDefined();
});

/** Each writer has contacts of its own, which are told apart by their addresses. */
const count = 200;
const everyIndex = Array.from({ length: count }, (_, index) => index);
const contactsOf = (domain: string) =>
	everyIndex.map((index) => ({ name: `Contact ${index}`, email: `contact.${index}@${domain}` }));
const emailsOf = (domain: string) =>
	contactsOf(domain)
		.map(({ email }) => email)
		.sort();

const oneByOne = { concurrency: 5 };
const writeLogs = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	person: { email: '={{ $json.email }}' },
	options: oneByOne,
};
const writeChanged = { ...writeLogs, write: 'changed', recordId: '={{ $json.email }}' };
const createOrGet = {
	resource: 'person',
	operation: 'createOrGet',
	email: '={{ $json.email }}',
	name: '={{ $json.name }}',
	options: oneByOne,
};

/** What was written for these contacts. */
function listSent(domain: string): RecordedRequest[] {
	return stage.sandbox.requests.filter(({ operationId, body }) => {
		const isWrite = operationId === 'createPersonLog' || operationId === 'createPerson';
		return isWrite && String((body as JsonObject).email).endsWith(`@${domain}`);
	});
}
const untilSent = async (domain: string, most: number): Promise<unknown> =>
	await waitFor(`${most} writes for ${domain}`, () => listSent(domain).length >= most, patienceMs);

/** The addresses of the persons, one for each of them. */
const listPersons = (domain: string): string[] =>
	stage.sandbox.store.persons
		.all()
		.flatMap(({ email }) => (email?.endsWith(`@${domain}`) ? [email] : []))
		.sort();

/** The addresses of the persons with a log, one for each log. */
function listLogged(domain: string): string[] {
	const { persons, personLogs } = stage.sandbox.store;
	return personLogs
		.all()
		.map(({ personId }) => String(persons.get(personId)?.email))
		.filter((email) => email.endsWith(`@${domain}`))
		.sort();
}
const keysOf = (requests: RecordedRequest[]): Set<unknown> =>
	new Set(requests.map(({ body }) => (body as JsonObject).idempotencyKey));

describe('both workers killed in the middle of writing', () => {
	const settings: Record<string, JsonObject> = {
		'the default settings': {},
		'Retry On Fail': { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 },
		'On Error: Continue': { onError: 'continueRegularOutput' },
		'On Error: Continue (using error output)': { onError: 'continueErrorOutput' },
	};
	const writers = [
		...Object.entries(settings).map(([title, setting], index) => ({
			title: `person logs with ${title}`,
			domain: `logs-${index}.example`,
			parameters: writeLogs,
			setting,
		})),
		{
			title: 'Only New or Changed Records',
			domain: 'changed.example',
			parameters: writeChanged,
			setting: {},
		},
		{
			title: 'Create or Get',
			domain: 'persons.example',
			parameters: createOrGet,
			setting: {},
		},
	];
	type Outcome = { workflow: Published; ended: Execution; before: number; again: Execution };
	const outcomes = new Map<string, Outcome>();

	// All at once, because n8n takes its time to notice and to start again.
	beforeAll(async () => {
		stage.sandbox.reset();
		const published: Published[] = [];
		for (const { parameters, setting } of writers) {
			published.push(await stage.publish(parameters, setting));
		}
		// Slow enough that none has ended when the last one is in the middle.
		stage.sandbox.latencyMs = 1_000;
		const runs = await Promise.all(
			writers.map(async ({ domain }, index) => {
				return { domain, run: await stage.start(published[index], contactsOf(domain)) };
			}),
		);
		await Promise.all(runs.map(async ({ domain }) => await untilSent(domain, 30)));
		await stage.killWorkers();
		stage.sandbox.latencyMs = 0;
		for (const { domain, run } of runs) {
			const ended = await stage.end(run);
			const before = listSent(domain).length;
			const again = await stage.end(await stage.retry(run));
			const workflow = published[writers.findIndex((writer) => writer.domain === domain)];
			outcomes.set(domain, { workflow, ended, before, again });
		}
	}, 4 * patienceMs);

	function readOutcome(domain: string): Outcome {
		const outcome = outcomes.get(domain);
		if (!outcome) throw new Error(`Nothing ran for ${domain}`);
		const { ended, before, again } = outcome;
		expect(ended.status).toBe('crashed');
		expect(before).toBeGreaterThanOrEqual(30);
		expect(before).toBeLessThan(count);
		expect(again.status).toBe('success');
		expect(itemsOf(again, tested).map(originOf)).toEqual(everyIndex);
		return outcome;
	}
	const logs = writers.filter(({ parameters }) => parameters === writeLogs);

	test.each(logs)('Retry writes all $title, and none twice', ({ domain }) => {
		const { before } = readOutcome(domain);
		expect(listLogged(domain)).toEqual(emailsOf(domain));
		// What was confirmed before the crash is sent again, with the same key.
		const sent = listSent(domain);
		expect(sent).toHaveLength(before + count);
		expect(keysOf(sent).size).toBe(count);
	});

	test('Only New or Changed Records leaves no gap, and the next night sends nothing', async () => {
		const domain = 'changed.example';
		const { workflow, before, again } = readOutcome(domain);
		expect(listLogged(domain)).toEqual(emailsOf(domain));
		const sent = listSent(domain);
		expect(keysOf(sent).size).toBe(count);
		// Only what the node knows to be confirmed is skipped.
		const isSkipped = itemsOf(again, tested).map(({ json }) => json.alreadyWritten === true);
		const skipped = isSkipped.filter(Boolean).length;
		expect(sent).toHaveLength(before + count - skipped);
		const next = await stage.end(await stage.start(workflow, contactsOf(domain)));
		expect(next.status).toBe('success');
		expect(itemsOf(next, tested).map(({ json }) => json.alreadyWritten)).toEqual(
			everyIndex.map(() => true),
		);
		expect(listSent(domain)).toHaveLength(sent.length);
	});

	test('Retry of Create or Get leaves nobody twice', () => {
		const domain = 'persons.example';
		const { again } = readOutcome(domain);
		expect(listPersons(domain)).toEqual(emailsOf(domain));
		expect(listSent(domain)).toHaveLength(count);
		const outcomesOfItems = itemsOf(again, tested).map(({ json }) => json.outcome);
		expect(new Set(outcomesOfItems)).toEqual(new Set(['found', 'created']));
	});
});

test('two nights at once on two workers leave no gap, with Only New or Changed Records', async () => {
	const domain = 'overlapping.example';
	stage.sandbox.reset();
	const workflow = await stage.publish(writeChanged);
	stage.sandbox.latencyMs = 200;
	const contacts = contactsOf(domain);
	const runs = [await stage.start(workflow, contacts), await stage.start(workflow, contacts)];
	for (const run of runs) expect(await stage.end(run)).toMatchObject({ status: 'success' });
	expect(listLogged(domain)).toEqual(emailsOf(domain));
	expect(keysOf(listSent(domain)).size).toBe(count);
	stage.sandbox.latencyMs = 0;
	const third = await stage.end(await stage.start(workflow, contacts));
	expect(third.status).toBe('success');
	expect(listLogged(domain)).toEqual(emailsOf(domain));
});

describe('workers told to stop in the middle of writing', () => {
	beforeEach(() => {
		stage.sandbox.reset();
		stage.sandbox.latencyMs = 100;
	});

	test('finish what they do', async () => {
		const domain = 'finished.example';
		const run = await stage.runPublished(writeLogs, contactsOf(domain));
		await untilSent(domain, 30);
		const { workers } = stage.cluster;
		await Promise.all(workers.map(async (worker) => await worker.stop()));
		expect(listSent(domain)).toHaveLength(count);
		expect(await stage.end(run)).toMatchObject({ status: 'success' });
		expect(listLogged(domain)).toEqual(emailsOf(domain));
		await Promise.all(workers.map(async (worker) => await worker.start()));
	});

	test('and not left the time for it, are as if killed', async () => {
		const domain = 'interrupted.example';
		await restartWorkers({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' });
		const run = await stage.runPublished(writeLogs, contactsOf(domain));
		await untilSent(domain, 30);
		await restartWorkers({});
		expect(await stage.end(run)).toMatchObject({ status: 'crashed' });
		expect(listSent(domain).length).toBeLessThan(count);
		const again = await stage.end(await stage.retry(run));
		expect(again.status).toBe('success');
		expect(itemsOf(again, tested).map(originOf)).toEqual(everyIndex);
		expect(listLogged(domain)).toEqual(emailsOf(domain));
		expect(keysOf(listSent(domain)).size).toBe(count);
	});
});

const restartWorkers = async (env: NodeJS.ProcessEnv): Promise<unknown> =>
	await Promise.all(
		stage.cluster.workers.map(async (worker) => {
			await worker.stop();
			await worker.start(env);
		}),
	);
