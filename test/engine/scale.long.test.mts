import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { originOf } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();

const contacts = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, i) => ({ email: `contact.${i}@scale.example`, source: 'crm' }));

const writeLogs = async (
	items: IDataObject[],
	options: INodeParameters = {},
	onError?: INode['onError'],
) =>
	await stage.run(
		{
			resource: 'personLog',
			operation: 'create',
			source: '={{ $json.source }}',
			person: { email: '={{ $json.email }}' },
			options,
		},
		items,
		{ onError },
	);

/** The number of log entries of each contact. */
function countLogs(items: IDataObject[]): number[] {
	const emails = new Map(
		[...stage.sandbox.store.persons].map(({ personId, email }) => [personId, email]),
	);
	const counts = new Map<unknown, number>();
	for (const { personId } of stage.sandbox.store.personLogs) {
		const email = emails.get(personId);
		counts.set(email, (counts.get(email) ?? 0) + 1);
	}
	return items.map(({ email }) => counts.get(email) ?? 0);
}

test('150 items at 30 requests a second are each sent once, and none is lost', async () => {
	const items = contacts(150);
	// Low enough to be reached on any machine.
	stage.sandbox.faults.add({ kind: 'rateLimit', requests: 30, perMs: 1000, retryAfter: '0.2' });
	const { output, error, hints } = await writeLogs(items);
	expect(error).toBeUndefined();
	expect(output.map(originOf)).toEqual(items.map((_, i) => i));
	expect(countLogs(items)).toEqual(items.map(() => 1));
	// The run pauses as a whole: without that, most items are rejected several times.
	const refused = stage.sandbox.requests.filter(({ status }) => status === 429).length;
	expect(refused).toBeGreaterThan(0);
	expect(refused).toBeLessThan(items.length);
	expect(hints.join()).toMatch(/Waited \d+ seconds? for the rate limit/);
});

describe('a thousand items of which every seventh is invalid', () => {
	const items = contacts(1000).map((item, i) =>
		i % 7 === 0 ? { ...item, source: `Not Kebab ${i}` } : item,
	);
	const bad = items.flatMap((_, i) => (i % 7 === 0 ? [i] : []));
	const good = items.flatMap((_, i) => (i % 7 === 0 ? [] : [i]));

	test('sends nothing with Stop Workflow, and says how many are invalid and how to send the rest', async () => {
		const { error, output } = await writeLogs(items);
		expect(output).toEqual([]);
		expect(stage.sandbox.requests).toHaveLength(0);
		expect(error?.message).toMatch(/^Source is invalid: .* \[item 0\]; .*; and 133 more$/);
		expect(error?.description).toContain("set On Error to 'Continue (using error output)'");
	});

	test('sends the valid ones with Continue (using error output), and returns the others there', async () => {
		const { output, errors } = await writeLogs(items, {}, 'continueErrorOutput');
		expect(output.map(originOf)).toEqual(good);
		expect(errors.map(originOf)).toEqual(bad);
		expect(countLogs(items)).toEqual(items.map((_, i) => (i % 7 === 0 ? 0 : 1)));
	});

	test('returns all in order in one output with Continue', async () => {
		const { output } = await writeLogs(items, {}, 'continueRegularOutput');
		expect(output.map(originOf)).toEqual(items.map((_, i) => i));
		expect(output.filter(({ json }) => json.error !== undefined)).toHaveLength(bad.length);
		expect(countLogs(items)).toEqual(items.map((_, i) => (i % 7 === 0 ? 0 : 1)));
	});
});

test('a thousand items are each written once or reported when the service rejects every seventh', async () => {
	const items = contacts(1000);
	for (let i = 0; i < 1000; i += 7) {
		stage.sandbox.faults.add({
			kind: 'status',
			status: 422,
			skip: i,
			body: { message: 'not this one' },
		});
	}
	const { output, errors } = await writeLogs(items, { concurrency: 1 }, 'continueErrorOutput');
	expect(errors.map(originOf)).toEqual(items.flatMap((_, i) => (i % 7 === 0 ? [i] : [])));
	expect(output.map(originOf)).toEqual(items.flatMap((_, i) => (i % 7 === 0 ? [] : [i])));
	expect(countLogs(items)).toEqual(items.map((_, i) => (i % 7 === 0 ? 0 : 1)));
});

test('lets other work of n8n run while it reads thousands of items', async () => {
	let turns = 0;
	const ticking = setInterval(() => turns++, 1);
	// Every item is invalid, so that the run only reads.
	await writeLogs(contacts(12_000).map((item) => ({ ...item, source: 'Not Kebab' })));
	clearInterval(ticking);
	expect(turns).toBeGreaterThan(10);
});
