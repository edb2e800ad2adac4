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
	const cut = body(three, { ...going, totalCount: 1250 });
	const part = 'Not the whole list: the first';
	const raise = 'To get more, raise the limit.';
	const tooLong = 'All of them would be too long to read at once.';
	const ended =
		'The list ended after 3 records, although the service counts 5. It may count records that it does not list, such as deleted ones.';
	const unsure = `Maybe not the whole list: the first 3, and there may be more. ${raise}`;
	test.each<[own: INodeParameters, answer: object, count: number, note?: string]>([
		[{ limit }, cut, 3, `${part} 3 of 1,250 records. ${raise}`],
		[{ limit: 3 }, cut, 3, `${part} 3 of 1,250 records. ${raise}`],
		[{ limit }, body(three, going), 3, `${part} 3, and there are more. ${raise}`],
		// A search does not say whether it has more.
		[{ ...search, limit }, body(three), 3, unsure],
		[all, body(persons(100), { totalCount: 100 }), 50, `${part} 50 of 100 records. ${tooLong}`],
		[{ ...search, limit: 60 }, body(persons(60)), 50, `${part} 50, and there are more. ${tooLong}`],
		[all, body(three, { totalCount: 5 }), 3, ended],
		// Whole ones.
		[{ limit: 3 }, body(three, { totalCount: 3 }), 3],
		[{ ...search, limit: 3 }, body(persons(2)), 2],
	])('with %j says in the output whether it is whole', async (own, answer, count, note = '') => {
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

const log = { resource: 'personLog', operation: 'create', source: 'agent', payload: '{}' };

describe('what people read in a hint is in the output:', () => {
	const list = () => {
		const [{ pageId }] = setup.sandbox.store.pages.all();
		return { resource: 'audienceSession', operation: 'getAll', pageId, limit: 2 };
	};
	const notesOf = async (parameters: INodeParameters, items = [{}, {}]) => {
		const { output, error } = await setup.run(parameters, items, { asTool: true });
		expect(error).toBeUndefined();
		return output.at(-1)?.json.notes;
	};

	test('a value that was left out, without what only people can do', async () => {
		const person = { email: fromModel('Email', 'email'), phoneNumber: fromModel('phone') };
		const items = ['030 1234567; 0170 7654321', '4.93012E+11'].map((value, i) => {
			return { value, email: `ada${i}@a.example` };
		});
		expect(await notesOf({ ...log, person }, items)).toEqual([
			'Person > Phone Number of 2 items was left out: must be one phone number, but has several: "030 1234567; 0170 7654321"; is "4.93012E+11", which a spreadsheet has rounded [items 0 and 1, counted from 0]',
		]);
	});

	test('a filter that is blank', async () => {
		const filters = { startDate: fromModel('from_day') };
		const notes = await notesOf({ ...list(), filters }, [{ value: '' }, { value: '' }]);
		expect(notes).toContain('Start Date is blank, so this filter was not applied.');
	});

	test('a wait for the rate limit', async () => {
		const headers = { 'retry-after': '1' };
		setup.sandbox.faults.add({ kind: 'answer', status: 429, body: {}, headers });
		const notes = await notesOf({ ...log, person: { email: 'ada@a.example' } });
		expect(notes).toEqual(['Waited 1 second for the service to accept requests']);
	});

	test('interactions that cannot be read', async () => {
		setup.sandbox.faults.add({ kind: 'answer', status: 404, body: {}, path: /interactions/ });
		const notes = await notesOf({ ...list(), options: { includeInteractions: true } });
		expect(notes).toContainEqual(expect.stringContaining('could not be read'));
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
	const pageId = { __rl: true, mode: 'id', value: fromModel('Page_ID') };
	const sessions = { resource: 'audienceSession', operation: 'getAll', pageId };
	const since = { ...sessions, pageId: 'page_1', filters: { startDate: fromModel('from_day') } };
	const date =
		'Filters > Start Date must be a date between 1970 and 2200 such as "2026-01-31" or "2026-01-31T08:00:00+01:00"';
	const create = { resource: 'person', operation: 'create', name: 'Ada' };
	const phone = { ...create, additionalFields: { phoneNumber: fromModel('phone') } };
	const page = { resource: 'page', operation: 'update', pageId: 'page_1' };
	const actions = { action: [{ purpose: 'demo', buttonTitle: 'Go', url: fromModel('link') }] };
	const next = 'Nothing was sent. Correct this and call the tool again.';

	test.each<[parameters: INodeParameters, value: unknown, message: string]>([
		[
			{ ...log, payload: fromModel('body') },
			'{ "a": He said }',
			`Payload JSON must be valid JSON, but is not: Unexpected token 'H', near "{ "a": He said }"`,
		],
		[since, '01/02/2026', `${date}, but is "01/02/2026", which countries read in different ways`],
		[since, 46053, `${date}, but is "46053", a day number of a spreadsheet`],
		[
			sessions,
			'https://app.example.com/pages/page_1',
			'Page ID must be an ID, but is the URL "https://app.example.com/pages/page_1"',
		],
		[
			sessions,
			'[object Object]',
			'Page ID contains [object Object], which n8n writes for every object',
		],
		[
			phone,
			'030 1234567; 0170 7654321',
			'Additional Fields > Phone Number must be one phone number, but has several: "030 1234567; 0170 7654321"',
		],
		[
			{ ...page, updateFields: { actions } },
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
		const more = { asTool: true, onError: 'continueRegularOutput' } as const;
		const parameters = { ...log, source: fromModel('from') };
		const [{ json }] = (await setup.run(parameters, [{ value: 'A B' }], more)).output;
		expect(json.error).toMatch(/^Source is invalid/);
		const description = 'Correct this and call the tool again.';
		expect(json.details).toMatchObject({ description });
	});
});

/* n8n's agent gives such values in version 2, with a Batch Size above 1. */
test('a call that n8n gave the values of another item sends nothing', async () => {
	const call = async (newestRun: number, more: Partial<Run> = {}) => {
		const handOver = (context: object) =>
			void Object.assign(context, { getNextRunIndex: () => newestRun + 1 });
		const { output, error } = await setup.run({ ...log, person: {} }, [{}], {
			asTool: true,
			handOver,
			...more,
		});
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
