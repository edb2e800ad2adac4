import type { INode } from 'n8n-workflow';
import { originOf } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();

const contacts = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ email: `contact.${i}@scale.example`, source: 'crm' }));
type Contacts = ReturnType<typeof contacts>;

const writeLogs = async (items: Contacts, onError?: INode['onError']) =>
	await stage.run(
		{
			resource: 'personLog',
			operation: 'create',
			source: '={{ $json.source }}',
			person: { email: '={{ $json.email }}' },
			// One after another, so that a fault meets the item that it is for.
			options: { concurrency: 1 },
		},
		items,
		{ onError },
	);

/** The number of log entries of each contact. */
function countLogs(items: Contacts): number[] {
	const { persons, personLogs } = stage.sandbox.store;
	const logs = Map.groupBy(personLogs.all(), ({ personId }) => persons.get(personId)?.email);
	return items.map(({ email }) => logs.get(email)?.length ?? 0);
}

test('a thousand items are each written once or told, though every seventh is invalid or refused', async () => {
	const isSeventh = (i: number) => i % 7 === 0;
	const items = contacts(1000);
	for (let i = 0; i < 1000; i += 14) items[i].source = `Not Kebab ${i}`;
	// Only the valid ones are sent.
	for (let i = 7; i < 1000; i += 14)
		stage.sandbox.faults.add({ kind: 'status', status: 422, skip: i - Math.ceil(i / 14) });
	const { output, errors } = await writeLogs(items, 'continueErrorOutput');
	const all = items.map((_, i) => i);
	expect(errors.map(originOf)).toEqual(all.filter(isSeventh));
	expect(output.map(originOf)).toEqual(all.filter((i) => !isSeventh(i)));
	expect(countLogs(items)).toEqual(all.map((i) => (isSeventh(i) ? 0 : 1)));
});

test('other work of n8n runs while the node reads thousands of items', async () => {
	let turns = 0;
	const ticking = setInterval(() => turns++, 1);
	// Every item is invalid, so that the run only reads.
	await writeLogs(contacts(12_000).map((item) => ({ ...item, source: 'Not Kebab' })));
	clearInterval(ticking);
	expect(turns).toBeGreaterThan(10);
});
