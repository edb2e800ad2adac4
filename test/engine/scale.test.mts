import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { runNode } from './engine.mts';

jest.setTimeout(180_000);

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const contacts = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, i) => ({ email: `contact.${i}@scale.example`, source: 'crm' }));

const writeLogs = async (
	items: IDataObject[],
	options: INodeParameters = {},
	onError?: INode['onError'],
) =>
	await runNode({
		parameters: {
			resource: 'personLog',
			operation: 'create',
			source: '={{ $json.source }}',
			person: { email: '={{ $json.email }}' },
			options,
		},
		items,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		onError,
	});

/** How often each contact has an entry. */
function countLogs(items: IDataObject[]): number[] {
	const emails = new Map(
		[...sandbox.store.persons].map(({ personId, email }) => [personId, email]),
	);
	const counts = new Map<unknown, number>();
	for (const { personId } of sandbox.store.personLogs) {
		const email = emails.get(personId);
		counts.set(email, (counts.get(email) ?? 0) + 1);
	}
	return items.map(({ email }) => counts.get(email) ?? 0);
}

/** The input items that output items are linked to. */
const linked = (list: INodeExecutionData[]) =>
	list.map(({ pairedItem }) => (pairedItem as { item: number }).item);

test('2,000 items through a service that takes 200 requests in a second: each once, none lost', async () => {
	const items = contacts(2000);
	sandbox.faults.add({ kind: 'rateLimit', requests: 200, perMs: 1000, retryAfter: '0.2' });
	const { output, error, hints } = await writeLogs(items);
	expect(error).toBeUndefined();
	expect(output).toHaveLength(2000);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	expect(countLogs(items)).toEqual(items.map(() => 1));
	// Held back as a whole, the run does not spend itself on refusals.
	const refused = sandbox.requests.filter(({ status }) => status === 429).length;
	expect(refused).toBeGreaterThan(0);
	expect(refused).toBeLessThan(600);
	expect(hints.join()).toMatch(/The run waited \d+ seconds?/);
});

describe('a thousand items of which every seventh cannot be sent', () => {
	const items = contacts(1000).map((item, i) =>
		i % 7 === 0 ? { ...item, source: `Not Kebab ${i}` } : item,
	);
	const bad = items.flatMap((_, i) => (i % 7 === 0 ? [i] : []));
	const good = items.flatMap((_, i) => (i % 7 === 0 ? [] : [i]));

	test('with On Error "Stop Workflow": nothing is sent, and the message says how many and how to send the rest', async () => {
		const { error, output } = await writeLogs(items);
		expect(output).toEqual([]);
		expect(sandbox.requests).toHaveLength(0);
		expect(error?.message).toMatch(
			/^143 values of 143 items cannot be sent: Source is invalid: .* \[item 0\]; .*; and 133 more$/,
		);
		expect(error?.description).toContain("set On Error to 'Continue (using error output)'");
	});

	test('with "Continue (using error output)": the good ones are sent, each bad one comes out of the other output', async () => {
		const { output, errors } = await writeLogs(items, {}, 'continueErrorOutput');
		expect(linked(output)).toEqual(good);
		expect(linked(errors)).toEqual(bad);
		expect(countLogs(items)).toEqual(items.map((_, i) => (i % 7 === 0 ? 0 : 1)));
	});

	test('with "Continue": the same in one output, in order', async () => {
		const { output } = await writeLogs(items, {}, 'continueRegularOutput');
		expect(linked(output)).toEqual(items.map((_, i) => i));
		expect(output.filter(({ json }) => json.error !== undefined)).toHaveLength(bad.length);
		expect(countLogs(items)).toEqual(items.map((_, i) => (i % 7 === 0 ? 0 : 1)));
	});
});

test('a thousand items of which the service refuses every seventh: each is told, the others are there once', async () => {
	const items = contacts(1000);
	for (let i = 0; i < 1000; i += 7) {
		sandbox.faults.add({ kind: 'status', status: 422, skip: i, body: { message: 'not this one' } });
	}
	const { output, errors } = await writeLogs(items, { concurrency: 1 }, 'continueErrorOutput');
	expect(linked(errors)).toEqual(items.flatMap((_, i) => (i % 7 === 0 ? [i] : [])));
	expect(linked(output)).toEqual(items.flatMap((_, i) => (i % 7 === 0 ? [] : [i])));
	expect(countLogs(items)).toEqual(items.map((_, i) => (i % 7 === 0 ? 0 : 1)));
});

test('reading thousands of items lets other work of n8n go on', async () => {
	let turns = 0;
	const ticking = setInterval(() => turns++, 1);
	// Refused as a whole, so that only reading is measured.
	await writeLogs(contacts(3000).map((item) => ({ ...item, source: 'Not Kebab' })));
	clearInterval(ticking);
	expect(turns).toBeGreaterThan(10);
});
