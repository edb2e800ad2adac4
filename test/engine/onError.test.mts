import { type Case, describeCases } from './cases/index.mts';
import { linkedTo, originOf, type RunResult } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let cases: Case[];
beforeAll(async () => {
	cases = describeCases(stage.sandbox);
});

type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

/** Runs every operation with three items, the second of which is refused. */
async function runEach(
	onError: OnError,
	refusal: 'value' | 'service',
	check: (each: Case, result: RunResult) => void,
): Promise<void> {
	for (const each of cases) {
		stage.sandbox.reset();
		const [first, second] = each.items;
		if (refusal === 'service') stage.sandbox.faults.add({ kind: 'status', status: 403, skip: 1 });
		const items = [first, refusal === 'value' ? { ...second, ...each.bad } : second, first];
		const result = await stage.run(each.parameters, items, { onError });
		try {
			check(each, result);
		} catch (error) {
			if (error instanceof Error) error.message = `${each.operation}: ${error.message}`;
			throw error;
		}
	}
}

const requestOf = (each: Case, item: 0 | 1) => each.sends[item].request;

describe('an invalid value', () => {
	test('stops the run before anything is sent', async () => {
		await runEach('stopWorkflow', 'value', (each, { error, output, status }) => {
			expect(stage.received).toEqual([]);
			expect(output).toEqual([]);
			expect(status).toBe('error');
			expect(error?.message).toContain(`${each.names} `);
			expect(error?.message).toMatch(/\[item 1\]$/);
			expect(error?.description).toContain('Nothing was sent');
		});
	});

	test('becomes an error item, and valid items are sent', async () => {
		await runEach('continueRegularOutput', 'value', (each, { error, output, status }) => {
			expect([status, error]).toEqual(['success', undefined]);
			expect(stage.received).toEqual([requestOf(each, 0), requestOf(each, 0)]);
			const [bad, ...more] = linkedTo(output, 1);
			expect(more).toEqual([]);
			expect(Object.keys(bad.json).sort()).toEqual(['details', 'error']);
			expect(bad.json.error).toContain(`${each.names} `);
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
			expect(stage.received).toEqual([requestOf(each, 0), requestOf(each, 0)]);
			expect(errors).toHaveLength(1);
			const input = { ...each.items[1], ...each.bad };
			expect(errors[0]).toEqual({
				json: {
					...input,
					error: expect.stringContaining(`${each.names} `) as string,
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

describe('an error response of the service', () => {
	test('stops the run at its item and says what was written', async () => {
		await runEach('stopWorkflow', 'service', (each, { error, output, status }) => {
			expect(stage.received).toEqual([requestOf(each, 0), requestOf(each, 1)]);
			expect([status, output]).toEqual(['error', []]);
			const isWrite = !requestOf(each, 1).startsWith('GET');
			expect(error?.message).toMatch(/\(403\) \[item 1\]/);
			expect(/\. 1 of 3 items were written, none from item 2 on$/.test(error?.message ?? '')).toBe(
				isWrite,
			);
			expect(error?.description).toContain('The sandbox was told to return 403');
			expect(error?.httpCode).toBe('403');
			const endpoint = requestOf(each, 1);
			expect(error?.context?.data).toMatchObject({ status: 403, endpoint, itemIndex: 1 });
		});
	});

	test('becomes an error item, and the others are sent', async () => {
		await runEach('continueRegularOutput', 'service', (each, { error, output, status }) => {
			expect([status, error]).toEqual(['success', undefined]);
			expect(stage.received).toHaveLength(3);
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
			expect(stage.received).toHaveLength(3);
			expect(errors).toHaveLength(1);
			expect(errors[0].json).toMatchObject(each.items[1]);
			expect(errors[0].json.error).toMatch(/\(403\) \[item 1\]$/);
			expect(linkedTo(output, 1)).toEqual([]);
			expect(linkedTo(output, 0).length).toBeGreaterThan(0);
			expect(linkedTo(output, 2).length).toBeGreaterThan(0);
		});
	});
});

describe('the message about invalid items', () => {
	const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	const refuse = async (names: string[]) =>
		(
			await stage.run(
				parameters,
				names.map((name) => ({ name })),
			)
		).error;
	const long = (count: number) => 'x'.repeat(count);
	const advice = /To send the valid items anyway, set On Error .* in the node's Settings tab/;

	test.each([
		[[''], 'Name is required [item 0]', false],
		[['', ''], 'Name is required [all 2 items]', false],
		[['', 'Ada', ''], 'Name is required [items 0 and 2]', true],
		[['', '', '', 'Ada'], 'Name is required [items 0, 1 and 2]', true],
		[[...Array<string>(44).fill(''), 'Ada'], 'Name is required [items 0, 1, 2 and 41 more]', true],
		[
			['', long(300), 'Ada'],
			'Name is required [item 0]; Name must have 1 to 255 characters, but has 300 [item 1]',
			true,
		],
	])('of %j is %j', async (names, message, someAreValid) => {
		const error = await refuse(names);
		expect(error?.message).toBe(message);
		expect(advice.test(error?.description ?? '')).toBe(someAreValid);
		expect(error?.description).toMatch(/^Nothing was sent\./);
	});

	test('lists no more than ten of many', async () => {
		const error = await refuse(Array.from({ length: 30 }, (_, i) => long(300 + i)));
		expect(error?.message).toMatch(/has 309 \[item 9\]; and 20 more$/);
		expect(error?.message.length).toBeLessThan(1_000);
	});
});

test("an expression that fails keeps n8n's own error", async () => {
	const parameters = { resource: 'person', operation: 'create', name: '={{ $("Nobody").item }}' };
	const lone = await stage.run(parameters, [{}]);
	expect(lone.error?.name).toBe('ExpressionError');
	const two = await stage.run(parameters, [{}, {}]);
	expect(two.error?.message).toMatch(/ \[all 2 items\]$/);
	const { errors } = await stage.run(parameters, [{}, {}], { onError: 'continueErrorOutput' });
	expect(errors.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	expect(stage.sandbox.requests).toEqual([]);
});

test("a value is judged by the node, never by n8n's own check of its type", async () => {
	const parameters = { resource: 'person', operation: 'getAll', limit: '={{ $json.limit }}' };
	const { output, error } = await stage.run(parameters, [{ limit: 'few' }, { limit: 1 }], {
		onError: 'continueRegularOutput',
		prepare: (node) => {
			const properties = node.description.properties.map((property) =>
				property.name === 'limit' ? { ...property, validateType: 'number' as const } : property,
			);
			node.description = { ...node.description, properties };
		},
	});
	expect(error).toBeUndefined();
	expect(output[0].json.error).toMatch(/^Limit must be a number.* \[item 0\]$/);
	expect(output.map(originOf)).toEqual([0, 1]);
});

test('a thousand items keep their order when the service rejects every seventh', async () => {
	const items = Array.from({ length: 1000 }, (_, i) => ({ name: i % 7 === 3 ? 'bad' : `n${i}` }));
	const bad = items.filter(({ name }) => name === 'bad').length;
	const parameters = {
		resource: 'account',
		operation: 'update',
		accountId: '={{ $json.name === "bad" ? "account_zzzzzzzzzzzzzzzzzzzzzzzzzz" : $json.id }}',
		name: '={{ $json.name }}',
		options: { concurrency: 50 },
	};
	const ids = [...stage.sandbox.store.accounts].map(({ accountId }) => accountId);
	const going = await stage.run(
		parameters,
		items.map((item, i) => ({ ...item, id: ids[i % ids.length] })),
		{ onError: 'continueErrorOutput' },
	);
	expect(going.errors).toHaveLength(bad);
	expect(going.output.map(originOf)).toEqual(
		items.flatMap(({ name }, i) => (name === 'bad' ? [] : [i])),
	);
	for (const each of going.output) expect(each.json.name).toBe(items[originOf(each) ?? -1].name);
	expect(stage.sandbox.requests).toHaveLength(1000);
});
