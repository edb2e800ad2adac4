import type { RecordedRequest } from '../../sandbox/index.mts';
import { type Execution, itemsOf, type JsonObject, originOf } from '../../tools/n8n/execution.mts';
import { setUpQueue, patienceMs, type Published } from '../n8n/queue.mts';
import { tested } from '../n8n/n8nSetup.mts';
import { waitFor } from '../waitFor.mts';
import { onlyNewOrChanged, requestLimits } from '../groups.mts';

jest.setTimeout(2 * patienceMs);

const setup = setUpQueue();

const email = '={{ $json.email }}';
const limits = requestLimits({ concurrency: 5 });
const writeLogs = {
	...{ resource: 'personLog', operation: 'create', source: 'crm', person: { email } },
	options: limits,
};
const writeChanged = { ...writeLogs, options: { ...limits, ...onlyNewOrChanged(email) } };
const createOrGet = {
	...{ resource: 'person', operation: 'createOrGet', email, name: '={{ $json.name }}' },
	options: limits,
};

/** Each writer has contacts of its own, which are told apart by their addresses. */
const count = 200;
const everyIndex = Array.from({ length: count }, (_, index) => index);
const contactsOf = (domain: string) =>
	everyIndex.map((index) => ({ name: `Contact ${index}`, email: `contact.${index}@${domain}` }));
/** The addresses of a domain, in one order. */
const select = (domain: string, records: ReadonlyArray<{ email?: unknown } | undefined>) =>
	records
		.map((record) => String(record?.email))
		.filter((each) => each.endsWith(`@${domain}`))
		.sort();
const emailsOf = (domain: string) => select(domain, contactsOf(domain));

/** What was written for these contacts. */
function listSent(domain: string): RecordedRequest[] {
	return setup.sandbox.requests.filter(({ operationId, body }) => {
		const isWrite = operationId === 'createPersonLog' || operationId === 'createPerson';
		return isWrite && select(domain, [body as JsonObject]).length > 0;
	});
}

/** The addresses of the persons with a log, one for each log. */
function listLogged(domain: string): string[] {
	const { persons, personLogs } = setup.sandbox.store;
	const logged = personLogs.all().map(({ personId }) => persons.get(personId));
	return select(domain, logged);
}
const keysOf = (requests: RecordedRequest[]): Set<unknown> =>
	new Set(requests.map(({ body }) => (body as JsonObject).idempotencyKey));
const end = async (execution: string): Promise<Execution> =>
	await setup.client.waitForExecution(execution, patienceMs);

test('a run by hand is one execution on one worker, and writes each log once', async () => {
	const domain = 'byhand.example';
	const execution = await setup.run(writeLogs, contactsOf(domain));
	expect(execution.status).toBe('success');
	expect(itemsOf(execution, tested).map(originOf)).toEqual(everyIndex);
	expect(listLogged(domain)).toEqual(emailsOf(domain));
	expect(listSent(domain)).toHaveLength(count);
	expect(setup.findWorker(execution.id)).toBeDefined();
});

describe('both workers killed in the middle of writing', () => {
	const writers = {
		'logs.example': writeLogs,
		'changed.example': writeChanged,
		'persons.example': createOrGet,
	};
	/** How many were written before Retry, and what Retry made of them. */
	const outcomes = new Map<string, { published: Published; before: number; outputs: unknown[] }>();

	// All at once, because n8n takes its time to notice and to start again.
	beforeAll(async () => {
		setup.sandbox.reset();
		const running: Array<{ domain: string; published: Published; execution: string }> = [];
		// Slow enough that none has ended when the last one is in the middle.
		setup.sandbox.latencyMs = 1_000;
		for (const [domain, parameters] of Object.entries(writers)) {
			const published = await setup.publishAction(parameters);
			const execution = await setup.startPublished(published, contactsOf(domain));
			running.push({ domain, published, execution });
		}
		for (const { domain } of running)
			await waitFor('30 writes', () => listSent(domain).length >= 30, patienceMs);
		await setup.killWorkers();
		setup.sandbox.latencyMs = 0;
		for (const { domain, published, execution } of running) {
			expect(await end(execution)).toMatchObject({ status: 'crashed' });
			const before = listSent(domain).length;
			expect(before).toBeLessThan(count);
			const again = await end(await setup.retry(published.workflow, execution));
			expect(again.status).toBe('success');
			const items = itemsOf(again, tested);
			expect(items.map(originOf)).toEqual(everyIndex);
			const outputs = items.map(({ json }) => json.outcome);
			outcomes.set(domain, { published, before, outputs });
		}
	}, 4 * patienceMs);

	test('Retry writes all person logs, and none twice', () => {
		const domain = 'logs.example';
		const { before } = outcomes.get(domain)!;
		expect(listLogged(domain)).toEqual(emailsOf(domain));
		// What was confirmed before the crash is sent again, with the same key.
		expect(listSent(domain)).toHaveLength(before + count);
		expect(keysOf(listSent(domain)).size).toBe(count);
	});

	test('Only New or Changed Records leaves no gap, and the next night sends nothing', async () => {
		const domain = 'changed.example';
		const { published } = outcomes.get(domain)!;
		expect(listLogged(domain)).toEqual(emailsOf(domain));
		const sent = listSent(domain);
		expect(keysOf(sent).size).toBe(count);
		const next = await end(await setup.startPublished(published, contactsOf(domain)));
		const written = itemsOf(next, tested).map(({ json }) => json.alreadyWritten);
		expect(written).toEqual(everyIndex.map(() => true));
		expect(listSent(domain)).toHaveLength(sent.length);
	});

	test('Retry of Create or Get leaves nobody twice', () => {
		const domain = 'persons.example';
		const { outputs } = outcomes.get(domain)!;
		expect(select(domain, setup.sandbox.store.persons.all())).toEqual(emailsOf(domain));
		expect(listSent(domain)).toHaveLength(count);
		expect(new Set(outputs)).toEqual(new Set(['found', 'created']));
	});
});

// Each may fail at its first entries in n8n's database, because the other one writes them at the same moment.
test('two nights at once on two workers leave no gap', async () => {
	const domain = 'overlapping.example';
	const published = await setup.publishAction(writeChanged);
	setup.sandbox.latencyMs = 200;
	const contacts = contactsOf(domain);
	const first = await setup.startPublished(published, contacts);
	const second = await setup.startPublished(published, contacts);
	for (const night of [first, second])
		expect(await end(night)).toMatchObject({ status: 'success' });
	setup.sandbox.latencyMs = 0;
	expect(listLogged(domain)).toEqual(emailsOf(domain));
	expect(keysOf(listSent(domain)).size).toBe(count);
});
