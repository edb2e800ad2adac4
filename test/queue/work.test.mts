import type { RecordedRequest } from '../../sandbox/index.mts';
import { type Execution, itemsOf, type JsonObject, originOf } from '../../tools/n8n/execution.mts';
import { setUpQueue, patienceMs, type Published } from '../n8n/queue.mts';
import { tested } from '../n8n/n8nSetup.mts';
import { waitFor } from '../waitFor.mts';
import { onlyNewOrChanged, requestLimits } from '../groups.mts';

jest.setTimeout(2 * patienceMs);

const setup = setUpQueue();

const writeLogs = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	person: { email: '={{ $json.email }}' },
	options: requestLimits({ concurrency: 5 }),
};
const writeChanged = {
	...writeLogs,
	options: { ...writeLogs.options, ...onlyNewOrChanged('={{ $json.email }}') },
};
const createOrGet = {
	resource: 'person',
	operation: 'createOrGet',
	email: '={{ $json.email }}',
	name: '={{ $json.name }}',
	options: requestLimits({ concurrency: 5 }),
};

/** Each writer has contacts of its own, which are told apart by their addresses. */
const count = 200;
const everyIndex = Array.from({ length: count }, (_, index) => index);
const contactsOf = (domain: string) =>
	everyIndex.map((index) => ({ name: `Contact ${index}`, email: `contact.${index}@${domain}` }));
const emailsOf = (domain: string) =>
	contactsOf(domain)
		.map(({ email }) => email)
		.sort();

/** What was written for these contacts. */
function listSent(domain: string): RecordedRequest[] {
	return setup.sandbox.requests.filter(({ operationId, body }) => {
		const isWrite = operationId === 'createPersonLog' || operationId === 'createPerson';
		return isWrite && String((body as JsonObject).email).endsWith(`@${domain}`);
	});
}
const untilSent = async (domain: string, most: number): Promise<unknown> =>
	await waitFor(`${most} writes for ${domain}`, () => listSent(domain).length >= most, patienceMs);

/** The addresses of the persons with a log, one for each log. */
function listLogged(domain: string): string[] {
	const { persons, personLogs } = setup.sandbox.store;
	return personLogs
		.all()
		.map(({ personId }) => String(persons.get(personId)?.email))
		.filter((email) => email.endsWith(`@${domain}`))
		.sort();
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
	type RerunWork = { published: Published; before: number; again: Execution };
	const outcomes = new Map<string, RerunWork>();

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
		await Promise.all(running.map(async ({ domain }) => await untilSent(domain, 30)));
		await setup.killWorkers();
		setup.sandbox.latencyMs = 0;
		for (const { domain, published, execution } of running) {
			expect(await end(execution)).toMatchObject({ status: 'crashed' });
			const before = listSent(domain).length;
			const again = await end(await setup.retry(published.workflow, execution));
			outcomes.set(domain, { published, before, again });
		}
	}, 4 * patienceMs);

	function readOutcome(domain: string): RerunWork {
		const outcome = outcomes.get(domain);
		if (!outcome) throw new Error(`Nothing ran for ${domain}`);
		expect(outcome.before).toBeGreaterThanOrEqual(30);
		expect(outcome.before).toBeLessThan(count);
		expect(outcome.again.status).toBe('success');
		expect(itemsOf(outcome.again, tested).map(originOf)).toEqual(everyIndex);
		return outcome;
	}

	test('Retry writes all person logs, and none twice', () => {
		const domain = 'logs.example';
		const { before } = readOutcome(domain);
		expect(listLogged(domain)).toEqual(emailsOf(domain));
		// What was confirmed before the crash is sent again, with the same key.
		expect(listSent(domain)).toHaveLength(before + count);
		expect(keysOf(listSent(domain)).size).toBe(count);
	});

	test('Only New or Changed Records leaves no gap, and the next night sends nothing', async () => {
		const domain = 'changed.example';
		const { published } = readOutcome(domain);
		expect(listLogged(domain)).toEqual(emailsOf(domain));
		const sent = listSent(domain);
		expect(keysOf(sent).size).toBe(count);
		const next = await end(await setup.startPublished(published, contactsOf(domain)));
		expect(itemsOf(next, tested).map(({ json }) => json.alreadyWritten)).toEqual(
			everyIndex.map(() => true),
		);
		expect(listSent(domain)).toHaveLength(sent.length);
	});

	test('Retry of Create or Get leaves nobody twice', () => {
		const domain = 'persons.example';
		const { again } = readOutcome(domain);
		const emails = setup.sandbox.store.persons.all().map(({ email }) => String(email));
		expect(emails.filter((email) => email.endsWith(`@${domain}`)).sort()).toEqual(emailsOf(domain));
		expect(listSent(domain)).toHaveLength(count);
		const outcomesOfItems = itemsOf(again, tested).map(({ json }) => json.outcome);
		expect(new Set(outcomesOfItems)).toEqual(new Set(['found', 'created']));
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
