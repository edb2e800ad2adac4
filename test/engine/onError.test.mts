import type { IDataObject } from 'n8n-workflow';
import { type Case, describeCases } from './cases/index.mts';
import { beforeRead, linkedTo, originOf, type RunResult } from './engine.mts';
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
		// Its only values are the options of the run.
		if (refusal === 'value' && each.operation === 'webhookSubscription.getAll') continue;
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
			expect(/\. 1 of 3 items were written$/.test(error?.message ?? '')).toBe(isWrite);
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

const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
const named = (...names: string[]) => names.map((name) => ({ name }));

describe('the message about invalid items', () => {
	const refuse = async (names: string[]) => (await stage.run(create, named(...names))).error;
	const long = (count: number) => 'x'.repeat(count);

	test.each<[names: string[], message: string]>([
		[[''], 'Name is required'],
		[['', ''], 'Name is required [all 2 items]'],
		[['', 'Ada', ''], 'Name is required [items 0 and 2]'],
		[['Ada', '', ''], 'Name is required [items 1 and 2]'],
		[['', '', '', 'Ada'], 'Name is required [items 0, 1 and 2]'],
		[[...Array<string>(44).fill(''), 'Ada'], 'Name is required [items 0, 1, 2 and 41 more]'],
		[
			['', 'Ada', long(300), ''],
			'Name is required [items 0 and 3]; Name must have 1 to 255 characters, but has 300 [item 2]',
		],
	])('of %j is %j', async (names, message) => {
		const error = await refuse(names);
		expect(error?.message).toBe(message);
		// The editor adds it to the message if that does not name it.
		const invalid = names.flatMap((name, item) => (name === 'Ada' ? [] : [item]));
		expect(error?.context?.itemIndex).toBe(invalid.length === 1 ? invalid[0] : undefined);
		expect(error?.description).toBe(
			names.includes('Ada')
				? "Nothing was sent. To send the valid items anyway, set On Error to 'Continue (using error output)' in the node's Settings tab. n8n counts items from 0."
				: 'Nothing was sent.',
		);
	});

	test('names the items of each invalid value', async () => {
		const parameters = { ...create, additionalFields: { email: '={{ $json.email }}' } };
		const email = long(400);
		const items = [{ name: 'Ada' }, { name: '', email }, { name: '' }, { name: 'Dora', email }];
		const refuse = async (some: IDataObject[]) =>
			(await stage.run(parameters, some)).error?.message;
		expect(await refuse(items.slice(0, 2))).toMatch(
			/^Name is required \[item 1\]; .*Email [^[]* \[item 1\]$/,
		);
		expect(await refuse(items)).toMatch(
			/^Name is required \[items 1 and 2\]; .*Email [^[]* \[items 1 and 3\]$/,
		);
		expect(await refuse([items[1]])).toMatch(/^Name is required; .*Email [^[]*$/);
	});

	test.each([
		[10, /has 309 \[item 9\]$/],
		[11, /has 309 \[item 9\]; and 1 more$/],
		[30, /has 309 \[item 9\]; and 20 more$/],
	])('lists no more than ten of %d', async (count, end) => {
		const error = await refuse(Array.from({ length: count }, (_, i) => long(300 + i)));
		expect(error?.message).toMatch(end);
		expect(error?.message.length).toBeLessThan(1_000);
	});
});

const refused = 'The API key has no access to this (403)';

test.each([
	[['Ada'], 0, refused],
	[['Ada', 'Bea'], 1, `${refused} [item 1]. 1 of 2 items were written`],
	[['Ada', 'Bea', 'Cy'], 1, `${refused} [item 1]. 1 of 3 items were written`],
])('of %j the one that is refused, %d, stops the run: %j', async (names, skip, message) => {
	stage.sandbox.faults.add({ kind: 'status', status: 403, skip });
	const parameters = { ...create, options: { concurrency: 1 } };
	const isOnly = names.length === 1;
	expect((await stage.run(parameters, named(...names))).error).toMatchObject({
		message,
		description: `The service said: "The sandbox was told to return 403". Use a key that has access, or ask the person who created this one.${isOnly ? '' : ' n8n counts items from 0.'}`,
	});
});

describe('a run that stops counts only what it wrote', () => {
	const emails = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'];
	const items = emails.map((email) => ({ email }));
	const createOrGet = {
		resource: 'person',
		operation: 'createOrGet',
		email: '={{ $json.email }}',
		name: 'Somebody',
		options: { concurrency: 1, lookup: 'list' },
	};

	test.each([
		[3, 3, `${refused} [item 3]. 0 of 4 items were written`],
		[1, 2, `${refused} [item 2]. 1 of 4 items were written`],
	])('%d were found, and item %d is refused', async (known, _, message) => {
		for (const email of emails.slice(0, known)) stage.sandbox.store.addPersons(1, { email });
		const fault = { operationId: 'createPerson', kind: 'status', status: 403 } as const;
		stage.sandbox.faults.add({ ...fault, skip: known === 3 ? 0 : 1 });
		expect((await stage.run(createOrGet, items)).error?.message).toBe(message);
	});
});

test.each([
	[
		['Ada', '', 'Cy', 'Dora'],
		['Ada', 'Name is required [item 1]', `${refused} [item 2]`, 'Dora'],
	],
	[
		['', ''],
		['Name is required [item 0]', 'Name is required [item 1]'],
	],
])('of %j a run that continues outputs %j', async (names, told) => {
	stage.sandbox.faults.add({ kind: 'status', status: 403, skip: 1 });
	const { output, error } = await stage.run(
		{ ...create, options: { concurrency: 1 } },
		named(...names),
		{ onError: 'continueRegularOutput' },
	);
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json.name ?? json.error)).toEqual(told);
	expect(output.map(originOf)).toEqual(names.map((_, item) => item));
	expect(stage.received).toHaveLength(names.filter(Boolean).length);
});

describe('an expression that fails', () => {
	const parameters = { ...create, name: '={{ $json.name ?? $("Nobody").item }}' };
	const told = "Referenced node doesn't exist";

	test("of one item stops the run with n8n's own error", async () => {
		for (const items of [[{}], [{ name: 'Ada' }, {}]]) {
			const { error } = await stage.run(parameters, items);
			expect(error).toMatchObject({ name: 'ExpressionError', message: told });
		}
		expect(stage.received).toEqual([]);
	});

	test('of several items stops the run with one message', async () => {
		const { error } = await stage.run(parameters, [{}, {}]);
		expect(error?.message).toBe(`${told} [all 2 items]`);
		const { errors } = await stage.run(parameters, [{}, {}], { onError: 'continueErrorOutput' });
		expect(errors.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(stage.received).toEqual([]);
	});

	test('becomes an error item when the run continues', async () => {
		const onError = 'continueRegularOutput';
		const { output } = await stage.run(parameters, [{}, { name: 'Ada' }], { onError });
		expect(output.map(({ json }) => json)).toEqual([
			{ error: `${told} [item 0]`, details: { itemIndex: 0 } },
			expect.objectContaining({ name: 'Ada' }),
		]);
	});

	test('may throw anything', async () => {
		const handOver = beforeRead((name) => {
			if (name === 'name') throw 'odd';
		});
		const onError = 'continueRegularOutput';
		const { output } = await stage.run(parameters, [{}, {}], { onError, handOver });
		expect(output.map(({ json }) => json.error)).toEqual(['odd [item 0]', 'odd [item 1]']);
	});
});

test.each([
	['', {}, 'Name is required. Nothing was sent. Correct this and call the tool again.'],
	['Ada', {}, 'The service rejected the request (413). Check the values that were sent.'],
	['Ada', { baseUrl: 'no address' }, 'The Base URL in the credential is not a web address'],
])('a model reads no item, and what to do: %j, %j', async (name, credential, message) => {
	stage.sandbox.faults.add({ kind: 'status', status: 413, body: {} });
	const more = { asTool: true, credential: { ...stage.credential, ...credential } };
	expect((await stage.run(create, [{ name }], more)).error?.message).toBe(message);
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

describe('an expression in a field that is set to Fixed', () => {
	const sync = {
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		person: { email: '={{ $json.name }}@x.example' },
	};
	const refused = (label: string, text: string) =>
		`${label} contains the expression "${text}", but the field is set to Fixed: switch it to Expression`;

	test.each<[label: string, text: string, parameters: IDataObject]>([
		[
			'Custom Idempotency Key',
			'{{ $json.id || $json.name }}',
			{ idempotency: 'custom', idempotencyKey: '{{ $json.id || $json.name }}' },
		],
		['Person', '{{$json.email}}', { person: { email: '{{$json.email}}' } }],
		[
			'Payload Fields',
			'{{ $json.plan }}',
			{
				payloadFields: {
					assignments: [{ name: 'plan', type: 'string', value: '{{ $json.plan }}' }],
				},
			},
		],
		[
			'Payload JSON',
			'{{ $json.plan }}',
			{ payloadMode: 'json', payload: '{ "plan": "{{ $json.plan }}" }' },
		],
		[
			'Record ID',
			'{{ $json.id }}',
			{ write: 'changed', recordId: 'crm {{ $json.id }}', recordVersion: '1' },
		],
	])('is refused in %s, because all items would have the same', async (label, text, more) => {
		const { error } = await stage.run({ ...sync, ...more } as never, named('Ada', 'Bea'));
		expect(error?.message).toContain(refused(label, text));
		expect(stage.received).toEqual([]);
	});

	test('is refused in an AI tool, which would write it for good', async () => {
		const { error } = await stage.run(
			{ resource: 'person', operation: 'create', name: '{{ $json.name }}' } as never,
			named('Ada'),
			{ asTool: true },
		);
		expect(error?.message).toContain(refused('Name', '{{ $json.name }}'));
		expect(stage.received).toEqual([]);
	});

	test.each([
		['of another operation', { name: '{{ $json.name }}' }],
		['without a variable', { person: { email: 'a@x.example', name: '{{ name }}' } }],
		['in an item', { person: { name: '={{ $json.text }}', email: 'a@x.example' } }],
	])('is no obstacle %s', async (_, more) => {
		const items = named('Ada', 'Bea').map((item) => ({ ...item, text: '{{ $json.name }}' }));
		const { error } = await stage.run(
			{ ...sync, person: { email: 'a@x.example' }, ...more } as never,
			items,
		);
		expect(error).toBeUndefined();
	});

	test('is no obstacle in the name of a record that was chosen from the list', async () => {
		const pageId = {
			__rl: true,
			mode: 'list',
			value: 'page_1',
			cachedResultName: 'Hello {{ $json.name }}',
		};
		const { error } = await stage.run(
			{ resource: 'page', operation: 'update', pageId, updateFields: { name: 'Hello' } } as never,
			named('Ada'),
		);
		expect(error?.message).toContain('PATCH /v0/pages/page_1 was not found');
	});
});
