import type { INodeExecutionData } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { type Case, describeCases } from './cases/index.mts';
import { runNode, type RunResult } from './engine.mts';

let sandbox: Sandbox;
let cases: Case[];
beforeAll(async () => {
	sandbox = await startSandbox();
	cases = describeCases(sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

const linkedTo = (items: INodeExecutionData[], item: number) =>
	items.filter(({ pairedItem }) => JSON.stringify(pairedItem) === JSON.stringify({ item }));

/** The good, the bad and the ugly: the second of three items is refused. */
async function runEach(
	onError: OnError,
	refusal: 'value' | 'service',
	check: (each: Case, result: RunResult) => void,
): Promise<void> {
	for (const each of cases) {
		sandbox.reset();
		const [first, second] = each.items;
		if (refusal === 'service') sandbox.faults.add({ kind: 'status', status: 403, skip: 1 });
		const result = await runNode({
			parameters: each.parameters,
			items: [first, refusal === 'value' ? { ...second, ...each.bad } : second, first],
			credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
			onError,
		});
		try {
			check(each, result);
		} catch (error) {
			if (error instanceof Error) error.message = `${each.operation}: ${error.message}`;
			throw error;
		}
	}
}

const requestOf = (each: Case, item: 0 | 1) => each.sends[item].request;
const requests = () => sandbox.requests.map(({ method, path }) => `${method} ${path}`);

describe('a value that is refused', () => {
	test('stops the run before anything is sent', async () => {
		await runEach('stopWorkflow', 'value', (each, { error, output, status }) => {
			expect(requests()).toEqual([]);
			expect(output).toEqual([]);
			expect(status).toBe('error');
			expect(error?.message).toContain(`'${each.names}' `);
			expect(error?.message).toMatch(/\[item 1\]$/);
			expect(error?.description).toContain('Nothing was sent');
		});
	});

	test('becomes an error item of its own, and the good ones go on', async () => {
		await runEach('continueRegularOutput', 'value', (each, { error, output, status }) => {
			expect([status, error]).toEqual(['success', undefined]);
			expect(requests()).toEqual([requestOf(each, 0), requestOf(each, 0)]);
			const [bad, ...more] = linkedTo(output, 1);
			expect(more).toEqual([]);
			expect(Object.keys(bad.json).sort()).toEqual(['details', 'error']);
			expect(bad.json.error).toContain(`'${each.names}' `);
			expect(bad.json.details).toMatchObject({ itemIndex: 1 });
			for (const item of [0, 2]) {
				expect(linkedTo(output, item).length).toBeGreaterThan(0);
				expect(linkedTo(output, item).every(({ json }) => !('error' in json))).toBe(true);
			}
			expect(output.indexOf(bad)).toBe(linkedTo(output, 0).length);
		});
	});

	test('goes to the error output with its input item', async () => {
		await runEach('continueErrorOutput', 'value', (each, { error, output, errors }) => {
			expect(error).toBeUndefined();
			expect(requests()).toEqual([requestOf(each, 0), requestOf(each, 0)]);
			expect(errors).toHaveLength(1);
			const input = { ...each.items[1], ...each.bad };
			expect(errors[0]).toEqual({
				json: {
					...input,
					error: expect.stringContaining(`'${each.names}' `) as string,
					details: expect.objectContaining({ itemIndex: 1 }) as object,
				},
				pairedItem: { item: 1 },
			});
			expect(linkedTo(output, 1)).toEqual([]);
			expect(linkedTo(output, 0).length).toBeGreaterThan(0);
			expect(linkedTo(output, 2).length).toBeGreaterThan(0);
		});
	});
});

describe('a refusal of the service', () => {
	test('stops the run at its item and says what was done', async () => {
		await runEach('stopWorkflow', 'service', (each, { error, output, status }) => {
			expect(requests()).toEqual([requestOf(each, 0), requestOf(each, 1)]);
			expect([status, output]).toEqual(['error', []]);
			const isWrite = !requestOf(each, 1).startsWith('GET');
			expect(error?.message).toMatch(/\(403\) \[item 1\]/);
			expect(/\. 1 of 3 items were written, none from item 2 on$/.test(error?.message ?? '')).toBe(
				isWrite,
			);
			expect(error?.description).toContain('The sandbox was told to answer 403');
			expect(error?.httpCode).toBe('403');
			const endpoint = requestOf(each, 1);
			expect(error?.context?.data).toMatchObject({ status: 403, endpoint, itemIndex: 1 });
		});
	});

	test('becomes an error item of its own, and the others go on', async () => {
		await runEach('continueRegularOutput', 'service', (each, { error, output, status }) => {
			expect([status, error]).toEqual(['success', undefined]);
			expect(requests()).toHaveLength(3);
			const [bad, ...more] = linkedTo(output, 1);
			expect(more).toEqual([]);
			expect(Object.keys(bad.json).sort()).toEqual(['details', 'error']);
			expect(bad.json.error).toMatch(/\(403\) \[item 1\]$/);
			expect(bad.json.details).toMatchObject({ status: 403, endpoint: requestOf(each, 1) });
			expect(linkedTo(output, 0)).toHaveLength(linkedTo(output, 2).length);
		});
	});

	test('goes to the error output with its input item', async () => {
		await runEach('continueErrorOutput', 'service', (each, { error, output, errors }) => {
			expect(error).toBeUndefined();
			expect(requests()).toHaveLength(3);
			expect(errors).toHaveLength(1);
			expect(errors[0].json).toMatchObject(each.items[1]);
			expect(errors[0].json.error).toMatch(/\(403\) \[item 1\]$/);
			expect(linkedTo(output, 1)).toEqual([]);
			expect(linkedTo(output, 0).length).toBeGreaterThan(0);
			expect(linkedTo(output, 2).length).toBeGreaterThan(0);
		});
	});
});

test('many problems of many items are told up to a readable number', async () => {
	const items = Array.from({ length: 30 }, () => ({ name: '' }));
	const { error } = await runNode({
		parameters: { resource: 'person', operation: 'create', name: '={{ $json.name }}' },
		items,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	expect(error?.message).toMatch(/^30 values of 30 items cannot be sent: /);
	expect(error?.message).toMatch(/\[item 9\]; and 20 more$/);
	expect(error?.message.length).toBeLessThan(500);
});

test('an expression that cannot be evaluated is told as n8n tells it', async () => {
	const parameters = { resource: 'person', operation: 'create', name: '={{ $("Nobody").item }}' };
	const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const lone = await runNode({ parameters, items: [{}], credential });
	expect(lone.error?.name).toBe('ExpressionError');
	const two = await runNode({ parameters, items: [{}, {}], credential });
	expect(two.error?.message).toMatch(/^2 values of 2 items cannot be sent: /);
	const { errors } = await runNode({
		parameters,
		items: [{}, {}],
		credential,
		onError: 'continueErrorOutput',
	});
	expect(errors.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	expect(sandbox.requests).toEqual([]);
});

test('a thousand items with every seventh refused by the service', async () => {
	const items = Array.from({ length: 1000 }, (_, i) => ({ name: i % 7 === 3 ? 'bad' : `n${i}` }));
	const bad = items.filter(({ name }) => name === 'bad').length;
	const parameters = {
		resource: 'account',
		operation: 'update',
		accountId: '={{ $json.name === "bad" ? "account_zzzzzzzzzzzzzzzzzzzzzzzzzz" : $json.id }}',
		name: '={{ $json.name }}',
		options: { concurrency: 50 },
	};
	const ids = [...sandbox.store.accounts].map(({ accountId }) => accountId);
	const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const run = {
		parameters,
		items: items.map((item, i) => ({ ...item, id: ids[i % ids.length] })),
		credential,
	};
	const going = await runNode({ ...run, onError: 'continueErrorOutput' });
	expect(going.errors).toHaveLength(bad);
	expect(going.output.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual(
		items.flatMap(({ name }, i) => (name === 'bad' ? [] : [i])),
	);
	for (const { json, pairedItem } of going.output) {
		expect(json.name).toBe(items[(pairedItem as { item: number }).item].name);
	}
	expect(sandbox.requests).toHaveLength(1000);
});
