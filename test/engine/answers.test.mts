import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { textOf } from './engine.mts';
import { runOffline } from './offline.mts';
import type { Reply } from './fakeNetwork.mts';
import { asFile, requestLimits } from '../groups.mts';

/* What an answer is, is in test/unit/records/answers.test.mts. */

const pageOf: Record<string, string> = { s1: 'page_1', s2: 'page_1', s3: 'page_2' };
const ids = Object.keys(pageOf);
const makeSession = (id: string): IDataObject => ({
	audienceSessionId: id,
	pageId: pageOf[id],
	formSubmissionId: `submission_${id}`,
});
const interactionsOf = (id: string) => [
	{ label: 'Start', responseText: '' },
	{ label: 'Your name', responseText: `Ada ${id}` },
];
const answersOf = (id: string) => ({ 'Your name': `Ada ${id}` });
const answered = (id: string) => ({ answers: answersOf(id), interactionsFound: true });

/** What the service responds for the interactions of some sessions, in place of them. */
let odd: Record<string, Reply>;
beforeEach(() => (odd = {}));

async function answer({ path }: { path: string }): Promise<Reply> {
	await new Promise((resolve) => setTimeout(resolve, 100));
	const [, , , id, list] = path.split('/');
	if (list === 'interactions')
		return odd[id] ?? { status: 200, body: { found: true, interactions: interactionsOf(id) } };
	const items = ids.filter((each) => pageOf[each] === id).map(makeSession);
	return { status: 200, body: { items, hasMore: false } };
}

async function run(parameters: INodeParameters, items: IDataObject[], asTool = false) {
	const own = parameters.options as INodeParameters | undefined;
	const options = { ...requestLimits({ concurrency: 2 }), addAnswers: true, ...own };
	const { exchanges, ...result } = await runOffline({
		parameters: { resource: 'audienceSession', simplify: false, ...parameters, options },
		...{ answer, items, asTool },
	});
	expect(result.error).toBeUndefined();
	const reads = exchanges.filter(({ request }) => request.path.endsWith('/interactions'));
	/** When the interactions of each session were asked for, in milliseconds since the start. */
	const readsAt = reads.map(({ startedAtMs }) => startedAtMs - exchanges[0].startedAtMs);
	return { ...result, readsAt };
}

const getAll = async (own: INodeParameters = {}, asTool = false) =>
	await run(
		{ operation: 'getAll', pageId: '={{ $json.page }}', ...own },
		['page_1', 'page_2'].map((page) => ({ page })),
		asTool,
	);

describe('Get Many', () => {
	const fields = ['pageId'];
	const selected = { output: 'selectedFields', outputFields: fields };
	const selectedOf = (id: string) => ({
		audienceSessionId: id,
		pageId: pageOf[id],
		...answered(id),
	});

	test.each<[what: string, INodeParameters, (id: string) => IDataObject, asTool?: boolean]>([
		['the answers', {}, (id) => ({ ...makeSession(id), ...answered(id) })],
		[
			'the interactions, too, by one request for both',
			{ simplify: true, options: { includeInteractions: true } },
			(id) => ({
				...makeSession(id),
				...{ answers: answersOf(id), interactions: interactionsOf(id), interactionsFound: true },
			}),
		],
		[
			'the answers to the fields that are selected',
			{ options: { outputFields: fields } },
			selectedOf,
		],
		['the answers to the fields that a model selects', selected, selectedOf, true],
		['nothing where the option is off', { options: { addAnswers: false } }, makeSession],
	])('adds %s', async (_, parameters, expected, asTool = false) => {
		const { json, hints, readsAt } = await getAll(parameters, asTool);
		expect(json.map((record) => Object.entries(record))).toEqual(
			ids.map((id) => Object.entries(expected(id))),
		);
		expect(hints).toEqual([]);
		// One request for each session, and two at once.
		expect(readsAt).toEqual(expected === makeSession ? [] : [100, 100, 200]);
	});

	test('says of which session they could not be read, and goes on', async () => {
		odd = { s1: { status: 404, body: {} }, s2: { status: 200, body: { found: false } } };
		const { json, hints } = await getAll();
		const interactionsError = 'Audience session "s1" was not found (404)';
		expect(json).toMatchObject([
			{ answers: null, interactionsFound: null, interactionsError },
			{ answers: {}, interactionsFound: false },
			answered('s3'),
		]);
		expect(hints).toEqual([
			'The interactions of some sessions could not be read. The field interactionsError says why [item 0, counted from 0].',
		]);
	});

	test('writes them into files, as a column or a field', async () => {
		const write = async (options: INodeParameters) =>
			(await getAll({ options })).output.map((item) => textOf(item));
		const [, csv] = await write(asFile('csv'));
		expect(csv).toContain(',answers,interactionsFound,interactionsError,otherFields\n');
		expect(csv).toContain(',"{""Your name"":""Ada s3""}",true,,');
		const [, lines] = await write({ ...asFile('jsonl'), includeInteractions: true });
		expect(JSON.parse(lines)).toEqual({
			...{ ...makeSession('s3'), ...answered('s3') },
			interactions: interactionsOf('s3'),
		});
	});
});

test('Get by Form Submission adds them to the session of each item', async () => {
	const items = ['s1', 's2', 'unknown'].map((id) => ({ id }));
	const operation = { operation: 'getByFormSubmission', pageId: 'page_1' };
	const find = async (own: INodeParameters) =>
		await run({ ...operation, identifier: '={{ $json.id }}', ...own }, items);
	const { json, readsAt } = await find({ simplify: true });
	expect(json).toMatchObject([answered('s1'), answered('s2'), { found: false }]);
	expect(readsAt).toHaveLength(2);
	const chosen = await find({ options: { outputFields: ['pageId'] } });
	expect(chosen.json[1]).toEqual({
		...{ audienceSessionId: 's2', pageId: 'page_1', found: true, foundBy: 'audienceSessionId' },
		...answered('s2'),
	});
	const others = await find({ addAnswers: false, options: { includeInteractions: true } });
	expect(others.json[1]).toMatchObject({ interactions: interactionsOf('s2') });
	expect(others.json[1]).not.toHaveProperty('answers');
});

test('Get Interactions adds the answers of the whole session to each one, and none to an empty session', async () => {
	odd = { s1: { status: 200, body: { found: true, interactions: [] } } };
	const read = async (options: INodeParameters) => {
		const parameters = { audienceSessionId: '={{ $json.id }}', options };
		const items = ['s1', 's2'].map((id) => ({ id }));
		return (await run({ operation: 'getInteractions', ...parameters }, items)).json;
	};
	const ofSecond = { audienceSessionId: 's2', answers: answersOf('s2') };
	expect(await read({ keepEmpty: true })).toMatchObject([
		{ audienceSessionId: 's1', found: true, interactions: [], answers: {} },
		{ ...ofSecond, label: 'Start' },
		{ ...ofSecond, label: 'Your name' },
	]);
	expect(await read({})).toHaveLength(2);
});
