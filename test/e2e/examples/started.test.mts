import { moveToRecentWeeks } from '../../../sandbox/index.mts';
import type { Execution, JsonObject } from '../../../tools/n8n/execution.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { samples } from '../../../tools/start/samples.mts';
import type { Workflow } from '../../../tools/n8n/workflow.mts';
import { importExample, outputOf, run } from './importing.mts';

// The starters with a button. Each is run as a person runs it: again, and with something rejected.

const setup = setUpN8n();
beforeEach(() => setup.sandbox.reset());

const bodiesOf = (operation: string): JsonObject[] =>
	setup.sandbox.requests
		.filter(({ operationId }) => operationId === operation)
		.map(({ body }) => body as JsonObject);

const reject = (operationId: string): void =>
	setup.sandbox.faults.add({ kind: 'status', status: 422, operationId, times: 1 });

test('contacts: each contact is written once, or listed with what to fix', async () => {
	const workflow = await importExample(setup, 'contacts');
	const first = await run(setup, workflow);
	const contacts = outputOf(first, 'Contact fields');
	const named = contacts.filter(({ email, phone }) => email || phone);
	expect([contacts.length, named.length]).toEqual([13, 12]);
	const sent = bodiesOf('createPersonLog').map(({ payload }) => (payload as JsonObject).crmId);
	expect(sent).toEqual(named.map(({ id }) => id));
	const outcomes = outputOf(first, 'Written or unchanged').map(({ outcome }) => outcome);
	expect(outcomes).toEqual(Array(12).fill('written, for a new person'));
	const whatToFix = expect.stringContaining('Person needs an email') as string;
	expect(outputOf(first, 'To fix')).toMatchObject([{ crmId: 'crm-1013', whatToFix }]);

	const second = await run(setup, workflow);
	expect(outputOf(second, 'Written or unchanged')[11].outcome).toBe('unchanged since the last run');
	expect(bodiesOf('createPersonLog')).toHaveLength(12);
});

test('sync: each contact becomes one person and one log, again when it changes', async () => {
	const { store } = setup.sandbox;
	const before = store.persons.size;
	const [known] = store.addPersons(1, { email: 'ADA.Lindqvist@Meridian.example' });
	const workflow = await importExample(setup, 'sync');
	const expectCounts = (execution: Execution, ...counts: [number, number, number]) => {
		const [written, unchanged, failed] = counts;
		const message = `${written} written, ${unchanged} unchanged, ${failed} to fix`;
		expect(outputOf(execution, 'Message')).toMatchObject([{ message }]);
		expect(outputOf(execution, 'To fix')).toHaveLength(failed);
	};
	const first = await run(setup, workflow);
	expectCounts(first, 10, 0, 3);
	const [{ concatenated_line: list }] = outputOf(first, 'One message');
	expect(list).toMatch(/^⚠️ Henrik Sørensen \(crm-1004\): .*\n⚠️ Anna Kowalczyk.*\n⚠️ Jonas Berg/);
	expect(outputOf(first, 'To fix').map(({ crmId }) => crmId)).toEqual([
		...['crm-1004', 'crm-1009', 'crm-1013'],
	]);
	expect(store.persons.size).toBe(before + 10);
	const people = store.personLogs.all().map(({ personId }) => personId);
	expect(people).toContain(known.personId);
	expect(new Set(people).size).toBe(10);

	expectCounts(await run(setup, workflow), 0, 10, 3);
	expect(bodiesOf('createPersonLog')).toHaveLength(10);

	// One contact has changed.
	const [earlier, after] = ['2026-11-02T16:40Z', '2026-11-20T09:00Z'].map(Date.parse).map(String);
	const pinned = JSON.stringify(samples.sync).replace(earlier, after);
	const pinData = JSON.parse(pinned) as Workflow['pinData'];
	await setup.client.updateWorkflow(workflow.id, { pinData });
	reject('createPersonLog');
	expectCounts(await run(setup, workflow), 0, 9, 4);
	expectCounts(await run(setup, workflow), 1, 9, 3);
	expect([bodiesOf('createPerson').length, bodiesOf('createPersonLog').length]).toEqual([9, 12]);
});

test('overrides: rows that differ are written, and only cells with a value', async () => {
	const workflow = await importExample(setup, 'overrides');
	const ends = ['Written', 'As it should be', 'Not on this page', 'To fix'];
	const expectCounts = (execution: Execution, ...counts: number[]) =>
		expect(ends.map((node) => outputOf(execution, node).length)).toEqual(counts);
	reject('updateAudience');
	const first = await run(setup, workflow);
	expectCounts(first, 2, 2, 1, 1);
	const outcome = expect.stringMatching(/^Not written: .*422/) as string;
	expect(outputOf(first, 'To fix')).toMatchObject([{ outcome }]);
	expectCounts(await run(setup, workflow), 1, 4, 1, 0);
	const written = bodiesOf('updateAudience');
	expect(written).toHaveLength(4);
	// An empty cell is not sent.
	const link = 'https://pages.northwind.example/offer/warehouses';
	expect(written).toContainEqual({ actionUrlOverride: link });
	expectCounts(await run(setup, workflow), 0, 5, 1, 0);
});

test("export: each session of nine days is one row with the visitor's interactions", async () => {
	const { store } = setup.sandbox;
	moveToRecentWeeks(store);
	const [{ pageId }] = store.pages.all();
	const workflow = await importExample(setup, 'export');
	const rowsOf = (execution: Execution) => outputOf(execution, 'Add or update row');
	const rows = rowsOf(await run(setup, workflow));
	const since = new Date(Date.now() - 9 * 24 * 3_600_000).toISOString();
	const sessions = store.sessions.of(pageId).filter((each) => each.sessionStartedAt > since);
	expect(rows.length).toBeGreaterThan(30);
	expect(Math.abs(rows.length - sessions.length)).toBeLessThan(5);
	for (const { audienceSessionId, interactions, whatHappened } of rows) {
		const known = store.interactions.of(String(audienceSessionId));
		expect(interactions).toBe(known.length);
		for (const { interaction } of known) expect(whatHappened).toContain(interaction.label);
	}

	store.addSessions(pageId, 1, { sessionStartedAt: new Date().toISOString() });
	// A session that was deleted in the meantime.
	const [{ audienceSessionId: lost }] = rows;
	setup.sandbox.faults.add({ kind: 'status', status: 404, path: new RegExp(String(lost)) });
	const again = rowsOf(await run(setup, workflow));
	expect(again).toHaveLength(rows.length + 1);
	const unread = again.filter(({ whatHappened }) => String(whatHappened).startsWith('Not read:'));
	expect(unread).toMatchObject([{ audienceSessionId: lost, interactions: 0 }]);
	// n8n's own IDs of the rows: those of before were updated.
	expect(again.map(({ id }) => id)).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
});

test('digest: a week of several accounts becomes one message, the most active account first', async () => {
	const workflow = await importExample(setup, 'digest');
	// The sandbox's own activities are years old.
	expect(outputOf(await run(setup, workflow), 'Digest')).toEqual([]);

	const { activities } = setup.sandbox.store;
	moveToRecentWeeks(setup.sandbox.store);
	const weekAgo = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString();
	const execution = await run(setup, workflow);
	const counts = outputOf(execution, 'Find accounts')
		.map(({ accountId }) => activities.of(String(accountId)))
		.map((all) => all.filter((each) => each.deletedAt === null && each.createdAt > weekAgo).length)
		.filter((count) => count > 0)
		.sort((a, b) => b - a);
	const total = counts.reduce((sum, count) => sum + count, 0);
	const [{ text }] = outputOf(execution, 'Digest');
	const [head, , ...lines] = String(text).split('\n');
	expect(head).toBe(`${total} entries at ${counts.length} accounts`);
	expect(lines.map((line) => Number(/^• .+: (\d+) \(/.exec(line)?.[1]))).toEqual(counts);
});
