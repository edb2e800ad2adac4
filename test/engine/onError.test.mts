import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';
import { onlyNewOrChanged, requestLimits } from '../groups.mts';

/* Which item fails or stops a run, for all kinds of faults and settings, is left to properties. */

const setup = setUpActionNode();

const options = requestLimits({ concurrency: 1 });
const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}', options };
const named = (...names: string[]): IDataObject[] => names.map((name) => ({ name }));
const tooLong = (count: number) => `must have at most 255 characters, but has ${count}`;
const blank = 'is required, but its expression is blank';
const refused = 'The API key or this n8n has no access to this (403)';

/** Of each item: its name, or how long that is. */
test.each<[message: string, items: Array<number | string>]>([
	[blank, ['']],
	[`${blank} [all 2 items]`, ['', '']],
	[`${blank} [item 1]`, ['Ada', '']],
	[`${blank} [items 0 and 2]`, ['', 'Ada', '']],
	[`${blank} [items 0, 1 and 2]`, ['', '', '', 'Ada']],
	[`${blank} [items 0, 1, 2 and 41 more]`, [...Array<string>(44).fill(''), 'Ada']],
	[`${blank} [items 0 and 3]; Name ${tooLong(300)} [item 2]`, ['', 'Ada', 300, '']],
	[
		`${tooLong(309)} [item 10]; and 1 more`,
		['Ada', ...Array.from({ length: 11 }, (_, i) => 300 + i)],
	],
])('invalid items stop the run before anything is sent: Name %s', async (told, names) => {
	const items = names.map((name) => (typeof name === 'number' ? 'x'.repeat(name) : name));
	const { error, status, output } = await setup.run(create, named(...items));
	const { message = '' } = error ?? {};
	expect(message.slice(-told.length - 5)).toBe(`Name ${told}`);
	expect(message).toMatch(/^Name /);
	expect([status, output, setup.received]).toEqual(['error', [], []]);
	// The editor adds it to the message if that does not name it.
	const invalid = items.flatMap((name, item) => (name === 'Ada' ? [] : [item]));
	expect(error?.context?.itemIndex).toBe(invalid.length === 1 ? invalid[0] : undefined);
	expect(error?.description).toBe(
		invalid.length < items.length
			? "Nothing was sent. To send the valid items anyway, set On Error to 'Continue (using error output)' in the node's Settings tab. n8n counts items from 0."
			: 'Nothing was sent.',
	);
});

test.each([
	[refused, ['Ada'], 0],
	[`${refused} [item 1]. 1 of 3 items were written`, ['Ada', 'Bea', 'Cy'], 1],
])('an item that the service refuses stops the run: %s', async (message, names, skip) => {
	setup.sandbox.faults.add({ kind: 'status', status: 403, skip });
	const { error, output, status } = await setup.run(create, named(...names));
	const isOnly = names.length === 1;
	expect([status, output]).toEqual(['error', []]);
	expect(error).toMatchObject({
		message,
		httpCode: '403',
		description: `The response said: "The sandbox was told to return 403". Use a key that has the rights for it. If it has them, ask the service to let n8n's IP address through.${isOnly ? '' : ' n8n counts items from 0.'}`,
		context: { data: { status: 403, endpoint: 'POST /v0/persons', itemIndex: skip } },
	});
	expect(setup.received).toHaveLength(skip + 1);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'with %s, items that fail come out in their place or in the error output, and the others are sent',
	async (onError) => {
		setup.sandbox.faults.add({ kind: 'status', status: 403, skip: 1 });
		const items = named('Ada', '', 'Cy', 'Dora');
		const { output, errors, error } = await setup.run(create, items, { onError });
		expect([error, setup.received.length]).toEqual([undefined, 3]);
		const toErrors = onError === 'continueErrorOutput';
		const failures = [`Name ${blank} [item 1]`, `${refused} [item 2]`].map((told, i) => ({
			json: {
				...(toErrors && items[i + 1]),
				error: told,
				details: expect.objectContaining({ itemIndex: i + 1 }) as object,
			},
			pairedItem: { item: i + 1 },
		}));
		const created = expect.objectContaining({ personId: expect.any(String) as string }) as object;
		const [first, last] = [0, 3].map((item) => ({ json: created, pairedItem: { item } }));
		expect(output).toEqual([first, ...(toErrors ? [] : failures), last]);
		expect(errors).toEqual(toErrors ? failures : []);
	},
);

test('an expression that fails is told by n8n for one item, and once for several', async () => {
	const parameters = { ...create, name: '={{ $json.name ?? $("Nobody").item }}' };
	const told = "Referenced node doesn't exist";
	const one = await setup.run(parameters, [{ name: 'Ada' }, {}]);
	expect(one.error).toMatchObject({ name: 'ExpressionError', message: told });
	const all = await setup.run(parameters, [{}, {}]);
	expect(all.error?.message).toBe(`${told} [all 2 items]`);
	expect(setup.received).toEqual([]);
	const onError = 'continueRegularOutput';
	const { output } = await setup.run(parameters, [{}, { name: 'Ada' }], { onError });
	expect(output.map(({ json }) => json)).toMatchObject([
		{ error: `${told} [item 0]`, details: { itemIndex: 0 } },
		{ name: 'Ada' },
	]);
});

test.each([
	['Name is required. Nothing was sent. Correct this and call the tool again.', '', {}],
	['The request is too large for the service (413). Send less data in one item.', 'Ada', {}],
	['The Base URL in the credential is not a web address', 'Ada', { baseUrl: 'no address' }],
])('a model is told what to do, and of no item: %s', async (message, name, credential) => {
	setup.sandbox.faults.add({ kind: 'status', status: 413, body: {} });
	const more = { asTool: true, credential: { ...setup.credential, ...credential } };
	const fromModel = { ...create, name: "={{ $json.name ?? $fromAI('Name') }}" };
	expect((await setup.run(fromModel, [{ name }], more)).error?.message).toBe(message);
});

const log = { resource: 'personLog', operation: 'create', source: 'crm' };
const person = { email: 'a@x.example' };
test.each<[label: string, parameters: INodeParameters, asTool: boolean]>([
	['Record ID', { ...log, person, options: onlyNewOrChanged('{{ $json.id }}') }, false],
	['Name', { ...create, name: '{{ $json.id }}' }, true],
])('an expression in a field that is set to Fixed is refused: %s', async (...given) => {
	const [label, parameters, asTool] = given;
	const { error } = await setup.run(parameters, [{ id: 1 }, { id: 2 }], { asTool });
	const told = 'contains the expression "{{ $json.id }}", but the field is set to Fixed: switch it';
	expect(error?.message).toContain(`${label} ${told} to Expression`);
	expect(setup.received).toEqual([]);
});

test('such an expression is no obstacle in a field of another operation, and in an item', async () => {
	const items = [{ text: '{{ $json.name }}' }, { text: 'Bea' }];
	const payload = { payloadMode: 'json', payload: '={{ { text: $json.text } }}' };
	const parameters = { ...log, person, ...payload, query: '{{ $json.name }}', options };
	const { error } = await setup.run(parameters, items);
	expect(error).toBeUndefined();
	expect(setup.sandbox.requests.map(({ body }) => body)).toMatchObject(
		items.map((item) => ({ payload: item })),
	);
});
