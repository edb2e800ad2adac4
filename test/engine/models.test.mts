import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';
import type { Run } from './engine.mts';
import { runOffline } from './offline.mts';

/* What a model reads of a tool: the output, or the message of an error. The pass through n8n's agent is in e2e/agent. */

const setup = setUpActionNode();

/** A value of the item, under a name that n8n's agent would ask the model for. */
const fromModel = (name: string, field = 'value') => `={{ $json.${field} ?? $fromAI('${name}') }}`;

/** What a builder can do, and a model cannot. */
const builderWords = /\{\{|\.split\(|From List|Expression|panel|column|Filter node|On Error/;

describe('a list', () => {
	const persons = (count: number, from = 0) =>
		Array.from({ length: count }, (_, i) => ({ personId: `p${from + i}`, name: 'x'.repeat(960) }));
	const body = (items: object[], more: object = {}) => ({ items, hasMore: false, ...more });
	const going = { hasMore: true, nextCursor: 'c' };

	async function read(answer: object, parameters: INodeParameters) {
		const { error, output, hints } = await runOffline({
			parameters: { resource: 'person', operation: 'getAll', ...parameters },
			items: [{ value: 3 }, { value: 3 }],
			asTool: true,
			answer: () => ({ status: 200, body: answer }),
		});
		expect(error).toBeUndefined();
		const notes = output.flatMap(({ json }) => json.notes ?? []);
		expect(hints).toEqual(notes);
		return { notes, count: output.filter(({ json }) => !json.notes).length };
	}

	const limit = fromModel('how_many');
	const search = { resource: 'page', operation: 'search' };
	const all = { returnAll: true };
	const three = persons(3);
	const part = 'Not the whole list: the first';
	const raise = 'To get more, raise the limit.';
	const tooLong = 'All of them would be too long to read at once.';
	const ended =
		'The list ended after 3 records, although the service counts 5. It may count records that it does not list, such as deleted ones.';
	test.each<[what: string, body: object, own: INodeParameters, count: number, note?: string]>([
		...[limit, 3].map((given): [string, object, INodeParameters, number, string] => [
			`with the limit ${given}`,
			body(three, { ...going, totalCount: 1250 }),
			{ limit: given },
			3,
			`${part} 3 of 1,250 records. ${raise}`,
		]),
		[
			'without a total',
			body(three, going),
			{ limit },
			3,
			`${part} 3, and there are more. ${raise}`,
		],
		[
			'that does not say whether it has more',
			body(three),
			{ ...search, limit },
			3,
			`Maybe not the whole list: the first 3, and there may be more. ${raise}`,
		],
		[
			'that is too long to read',
			body(persons(100), { totalCount: 100 }),
			all,
			50,
			`${part} 50 of 100 records. ${tooLong}`,
		],
		[
			'that does not say whether it has more, and is too long to read',
			body(persons(60)),
			{ ...search, limit: 60 },
			50,
			`${part} 50, and there are more. ${tooLong}`,
		],
		['that ends before its total', body(three, { totalCount: 5 }), all, 3, ended],
		['that is read whole', body(three, { totalCount: 3 }), { limit: 3 }, 3],
		['that is shorter than its limit', body(persons(2)), { ...search, limit: 3 }, 2],
	])('%s says so in the output', async (_, answer, own, count, note = '') => {
		expect(await read(answer, own)).toEqual({ notes: note ? [note] : [], count: 2 * count });
	});

	test('has its first record, however long it is', async () => {
		const [one, other] = [1, 2].map((n) => ({ personId: `p${n}`, name: 'x'.repeat(60_000) }));
		const { notes, count } = await read(body([one, other]), { returnAll: true });
		expect(count).toBe(2);
		expect(notes).toEqual([
			expect.stringMatching(/^Not the whole list: the first 1, and there are more/),
		]);
	});

	test('is not read further than a model can read', async () => {
		const { exchanges, output } = await runOffline({
			parameters: { resource: 'person', operation: 'getAll', returnAll: true },
			asTool: true,
			answer: (_, sent) => ({
				status: 200,
				body: body(persons(40, 40 * sent), { ...going, nextCursor: `c${sent}`, totalCount: 9000 }),
			}),
		});
		expect(exchanges).toHaveLength(2);
		expect(exchanges[0].request.query.limit).toBe('100');
		expect(JSON.stringify(output.map(({ json }) => json)).length).toBeLessThan(51_000);
		expect(output.at(-1)?.json.notes).toEqual([expect.stringContaining('of 9,000 records')]);
	});

	test('says no such thing to people, and is whole for them', async () => {
		const { output } = await runOffline({
			parameters: { resource: 'person', operation: 'getAll', returnAll: true },
			answer: () => ({ status: 200, body: body(persons(100)) }),
		});
		expect(output).toHaveLength(100);
	});
});

describe('what people read in a hint', () => {
	const log = { resource: 'personLog', operation: 'create', source: 'agent', payload: '{}' };
	const page = () => setup.sandbox.store.pages.all()[0].pageId;
	const notesOf = async (parameters: INodeParameters, items: IDataObject[]) => {
		const { output, error } = await setup.run(parameters, items, { asTool: true });
		expect(error).toBeUndefined();
		return output.at(-1)?.json.notes;
	};

	test('is in the output: a value that was left out, without what only people can do', async () => {
		const person = { email: fromModel('Email', 'email'), phoneNumber: fromModel('phone') };
		const items = ['030 1234567; 0170 7654321', '4.93012E+11'].map((value, i) => ({
			...{ value, email: `ada${i}@a.example` },
		}));
		const notes = await notesOf({ ...log, person }, items);
		expect(notes).toEqual([
			'Person > Phone Number of 2 items was left out: must be one phone number, but has several: "030 1234567; 0170 7654321"; is "4.93012E+11", which a spreadsheet has rounded [items 0 and 1, counted from 0]',
		]);
	});

	test('is in the output: a filter that is blank', async () => {
		const filters = { startDate: fromModel('from_day') };
		const list = { resource: 'audienceSession', operation: 'getAll', pageId: page(), limit: 3 };
		const notes = await notesOf({ ...list, filters }, [{ value: '' }, { value: '' }]);
		expect(notes).toContain('Start Date is blank, so this filter was not applied.');
	});

	test('is in the output: a wait for the rate limit', async () => {
		setup.sandbox.faults.add({
			kind: 'answer',
			status: 429,
			body: {},
			headers: { 'retry-after': '1' },
		});
		const person = { email: 'ada@a.example' };
		const notes = await notesOf({ ...log, person }, [{}, {}]);
		expect(notes).toEqual(['Waited 1 second for the service to accept requests']);
	});

	test('is in the output: interactions that cannot be read', async () => {
		setup.sandbox.faults.add({ kind: 'answer', status: 404, body: {}, path: /interactions/ });
		const list = { resource: 'audienceSession', operation: 'getAll', pageId: page(), limit: 2 };
		expect(
			await notesOf({ ...list, options: { includeInteractions: true } }, [{}, {}]),
		).toContainEqual(expect.stringContaining('could not be read'));
	});
});

describe('a refusal', () => {
	const refuse = async (parameters: INodeParameters, value: unknown) => {
		const items = [{ value }] as IDataObject[];
		const { error } = await setup.run(parameters, items, { asTool: true });
		expect(setup.received).toEqual([]);
		expect(error?.message).not.toMatch(builderWords);
		return error?.message;
	};
	const log = { resource: 'personLog', operation: 'create', source: 'agent', payload: '{}' };
	const sessions = { resource: 'audienceSession', operation: 'getAll', pageId: 'page_1' };
	const since = { ...sessions, filters: { startDate: fromModel('from_day') } };
	const date = 'Filters > Start Date must be a date between 1970 and 2200 such as';
	const create = { resource: 'person', operation: 'create', name: 'Ada' };
	const toId = (value: string) => ({ __rl: true, mode: 'id', value });
	const actions = { action: [{ purpose: 'demo', buttonTitle: 'Go', url: fromModel('link') }] };
	const next = 'Nothing was sent. Correct this and call the tool again.';

	test.each<[parameters: INodeParameters, value: unknown, message: string]>([
		[
			{ ...log, payload: fromModel('body') },
			'{ "a": He said }',
			`Payload JSON must be valid JSON, but is not: Unexpected token 'H', near "{ "a": He said }"`,
		],
		[
			since,
			'01/02/2026',
			`${date} "2026-01-31" or "2026-01-31T08:00:00+01:00", but is "01/02/2026", which countries read in different ways`,
		],
		[
			since,
			46053,
			`${date} "2026-01-31" or "2026-01-31T08:00:00+01:00", but is "46053", a day number of a spreadsheet`,
		],
		[
			{ ...sessions, pageId: toId(fromModel('Page_ID')) },
			'https://app.example.com/pages/page_1',
			'Page ID must be an ID, but is the URL "https://app.example.com/pages/page_1"',
		],
		[
			{ ...create, additionalFields: { phoneNumber: fromModel('phone') } },
			'030 1234567; 0170 7654321',
			'Additional Fields > Phone Number must be one phone number, but has several: "030 1234567; 0170 7654321"',
		],
		[
			{ ...sessions, pageId: toId(fromModel('Page_ID')) },
			'[object Object]',
			'Page ID contains [object Object], which n8n writes for every object',
		],
		[
			{ resource: 'page', operation: 'update', pageId: 'page_1', updateFields: { actions } },
			'www.acme.com',
			'Update Fields > Actions > Action 1 > URL is "www.acme.com", which has no scheme and opens nothing. Write "https://www.acme.com"',
		],
	])(
		'of %j has the label of the parameter, and what a model can do',
		async (given, value, message) => {
			expect(await refuse(given, value)).toBe(`${message}. ${next}`);
		},
	);

	test('is in the item with On Error: Continue', async () => {
		const { output } = await setup.run({ ...log, source: fromModel('from') }, [{ value: 'A B' }], {
			asTool: true,
			onError: 'continueRegularOutput',
		});
		expect(output).toMatchObject([
			{
				json: {
					error: expect.stringMatching(/^Source is invalid/) as string,
					details: { description: 'Correct this and call the tool again.' },
				},
			},
		]);
	});
});

/* n8n's agent gives such values in version 2, with a Batch Size above 1. */
test('a call that n8n gave the values of another item sends nothing', async () => {
	const entry = { resource: 'personLog', operation: 'create', source: 'agent', payload: '{}' };
	const log = { ...entry, person: {} };
	const call = async (newestRun: number, more: Partial<Run> = {}) => {
		const handOver = (context: object) =>
			void Object.assign(context, { getNextRunIndex: () => newestRun + 1 });
		const { output, error } = await setup.run(log, [{}], { asTool: true, handOver, ...more });
		return error?.message ?? output[0].json.error;
	};
	// In this engine, every call is run 0.
	expect([await call(0), await call(1), await call(2)]).toEqual([
		undefined,
		...Array<unknown>(2).fill(
			expect.stringMatching(/the values of another item.*Nothing was sent\. The user.*Batch Size/),
		),
	]);
	expect(await call(1, { onError: 'continueRegularOutput' })).toMatch(/values of another item/);
	expect(setup.sandbox.requests).toHaveLength(1);
});
