import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkedTo } from './engine.mts';
import { type OfflineRun, runOffline } from './offline.mts';
import type { Reply } from './wire.mts';

/* What an answer is, is in test/unit/records/answers.test.mts. */

const sessionsOf: Record<string, string[]> = { page_1: ['s1', 's2'], page_2: ['s3'] };
const makeSession = (id: string, pageId: string): IDataObject => ({
	audienceSessionId: id,
	pageId,
	formSubmissionId: `submission_${id}`,
});
const interactionsOf = (id: string) => [
	{ label: 'Start', responseText: '' },
	{ label: 'Your name', responseText: `Ada ${id}` },
];
const answersOf = (id: string) => ({ 'Your name': `Ada ${id}` });

/** What the service responds for the interactions of some sessions, in place of them. */
let odd: Record<string, Reply>;
beforeEach(() => (odd = {}));

function answer({ path }: { path: string }): Reply {
	const [, , , id, list] = path.split('/');
	if (list === 'interactions')
		return odd[id] ?? { status: 200, body: { found: true, interactions: interactionsOf(id) } };
	const items = sessionsOf[id].map((each) => makeSession(each, id));
	return { status: 200, body: { items, hasMore: false } };
}

async function run(
	operation: string,
	items: IDataObject[],
	{ options = {}, ...more }: { options?: INodeParameters } & INodeParameters = {},
	settings: Partial<OfflineRun> = {},
) {
	const given = { resource: 'audienceSession', operation, simplify: false, ...more };
	const parameters = { ...given, options: { addAnswers: true, ...options } };
	const { exchanges, ...result } = await runOffline({ answer, parameters, items, ...settings });
	expect(result.error).toBeUndefined();
	return {
		...result,
		records: result.output.map(({ json }) => json),
		reads: exchanges.filter(({ request }) => request.path.endsWith('/interactions')).length,
	};
}

const pages = Object.keys(sessionsOf).map((pageId) => ({ pageId }));
const getAll = async (more: Parameters<typeof run>[2] = {}, settings: Partial<OfflineRun> = {}) =>
	await run('getAll', pages, { pageId: '={{ $json.pageId }}', ...more }, settings);
const readFile = (item: { binary?: { data?: { data: string } } }) =>
	Buffer.from(item.binary?.data?.data ?? '', 'base64').toString();
const unreadable =
	'The interactions of some sessions could not be read. The field interactionsError says why [item 0, counted from 0].';

describe('Get Many', () => {
	test('adds the answers to each session, without its interactions', async () => {
		const { output, hints } = await getAll();
		expect(hints).toEqual([]);
		for (const [item, ids] of Object.values(sessionsOf).entries())
			expect(linkedTo(output, item).map(({ json }) => Object.entries(json).slice(3))).toEqual(
				ids.map((id) => [
					['answers', answersOf(id)],
					['interactionsFound', true],
				]),
			);
	});

	test('adds both with Include Interactions, by one request for each session', async () => {
		const { records, reads } = await getAll({ includeInteractions: true, simplify: true });
		expect(records.map(({ interactions }) => interactions)).toEqual(
			['s1', 's2', 's3'].map(interactionsOf),
		);
		for (const record of records)
			expect(Object.keys(record).slice(-3)).toEqual([
				'answers',
				'interactions',
				'interactionsFound',
			]);
		expect(reads).toBe(3);
	});

	test('reads nothing where the option is off', async () => {
		const { records, reads } = await getAll({ options: { addAnswers: false } });
		expect(records[0]).toEqual(makeSession('s1', 'page_1'));
		expect(reads).toBe(0);
	});

	test('says of which session they could not be read, and goes on', async () => {
		odd = { s1: { status: 404, body: {} }, s2: { status: 200, body: { found: false } } };
		const { records, hints } = await getAll();
		expect(records).toMatchObject([
			{
				answers: null,
				interactionsFound: null,
				interactionsError: 'Audience session "s1" was not found (404)',
			},
			{ answers: {}, interactionsFound: false },
			{ answers: answersOf('s3'), interactionsFound: true },
		]);
		expect(hints).toEqual([unreadable]);
	});

	test('never replaces a field of the API', async () => {
		const items = [{ ...makeSession('s1', 'page_1'), answers: 42 }, makeSession('s2', 'page_1')];
		const { records } = await getAll(
			{},
			{
				answer: (request) =>
					request.path.endsWith('/interactions')
						? answer(request)
						: { status: 200, body: { items, hasMore: false } },
			},
		);
		expect(records.map(({ answers }) => answers)).toEqual([
			42,
			answersOf('s2'),
			42,
			answersOf('s2'),
		]);
	});

	test('writes them into files, as a column or a field', async () => {
		const csv = (await getAll({ outputAs: 'csv' })).output.map(readFile);
		expect(csv).toHaveLength(2);
		expect(csv[1]).toContain(',answers,interactionsFound,interactionsError,otherFields\n');
		expect(csv[1]).toContain(',"{""Your name"":""Ada s3""}",true,,');
		const lines = (await getAll({ outputAs: 'jsonl', includeInteractions: true })).output;
		expect(JSON.parse(readFile(lines[1]))).toEqual({
			...makeSession('s3', 'page_2'),
			answers: answersOf('s3'),
			interactions: interactionsOf('s3'),
			interactionsFound: true,
		});
	});

	test('keeps them among the fields that an AI tool selects', async () => {
		const more = { output: 'selectedFields', outputFields: ['pageId'] };
		const { records } = await getAll(more, { asTool: true });
		expect(records[0]).toEqual({
			audienceSessionId: 's1',
			pageId: 'page_1',
			answers: answersOf('s1'),
			interactionsFound: true,
		});
	});
});

describe('Get by Form Submission', () => {
	const items = ['s1', 's2', 'unknown'].map((id) => ({ id }));
	const find = async (more: Parameters<typeof run>[2] = {}) =>
		await run('getByFormSubmission', items, { pageId: 'page_1', ...more });

	test('adds the answers to the session of each item, or says why not', async () => {
		odd = { s1: { status: 403, body: {} } };
		const { records, hints, reads } = await find({ simplify: true });
		expect(records).toMatchObject([
			{
				found: true,
				answers: null,
				interactionsFound: null,
				interactionsError: 'The API key has no access to this (403)',
			},
			{ audienceSessionId: 's2', found: true, answers: answersOf('s2'), interactionsFound: true },
			{ found: false },
		]);
		expect(hints).toEqual([unreadable]);
		expect(reads).toBe(2);
	});

	test('adds the interactions alone, or nothing', async () => {
		const options = { addAnswers: false };
		const { records } = await find({ includeInteractions: true, options });
		expect(records[0]).toMatchObject({ interactions: interactionsOf('s1') });
		expect(records[0]).not.toHaveProperty('answers');
		const nothing = await find({ options });
		expect(nothing.records[0]).not.toHaveProperty('interactionsFound');
		expect(nothing.reads).toBe(0);
	});
});

test('Get Interactions adds the answers of the whole session to each one, and none to an empty session', async () => {
	odd = { s1: { status: 200, body: { found: true, interactions: [] } } };
	const items = ['s1', 's2'].map((id) => ({ id }));
	const read = async (options: INodeParameters) =>
		(await run('getInteractions', items, { audienceSessionId: '={{ $json.id }}', options }))
			.records;
	const answers = answersOf('s2');
	expect(await read({ keepEmpty: true })).toMatchObject([
		{ audienceSessionId: 's1', found: true, interactions: [], answers: {} },
		{ audienceSessionId: 's2', label: 'Start', answers },
		{ audienceSessionId: 's2', label: 'Your name', answers },
	]);
	expect(await read({})).toHaveLength(2);
});
