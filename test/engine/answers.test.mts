import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkedTo } from './engine.mts';
import { runOffline } from './offline.mts';
import type { Reply } from './fakeNetwork.mts';
import { asFile, requestLimits } from '../groups.mts';

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

async function answer({ path }: { path: string }): Promise<Reply> {
	await new Promise((resolve) => setTimeout(resolve, 100));
	const [, , , id, list] = path.split('/');
	if (list === 'interactions')
		return odd[id] ?? { status: 200, body: { found: true, interactions: interactionsOf(id) } };
	const items = sessionsOf[id].map((each) => makeSession(each, id));
	return { status: 200, body: { items, hasMore: false } };
}

async function run(
	operation: string,
	items: IDataObject[],
	{ options = {}, ...own }: { options?: INodeParameters } & INodeParameters = {},
	asTool = false,
) {
	const given = { resource: 'audienceSession', operation, simplify: false, ...own };
	const parameters = { ...given, options: { addAnswers: true, ...options } };
	const { exchanges, ...result } = await runOffline({ answer, parameters, items, asTool });
	expect(result.error).toBeUndefined();
	const reads = exchanges.filter(({ request }) => request.path.endsWith('/interactions'));
	return {
		...result,
		records: result.output.map(({ json }) => json),
		/** When the interactions of each session were asked for, in milliseconds since the start. */
		readsAt: reads.map(({ startedAtMs }) => startedAtMs - exchanges[0].startedAtMs),
	};
}

const pages = Object.keys(sessionsOf).map((pageId) => ({ pageId }));
const getAll = async (own: Parameters<typeof run>[2] = {}, asTool = false) =>
	await run('getAll', pages, { pageId: '={{ $json.pageId }}', ...own }, asTool);
const readFile = (item: { binary?: { data?: { data: string } } }) =>
	Buffer.from(item.binary?.data?.data ?? '', 'base64').toString();
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

	test('adds both with Include Interactions, by one request for each session and two at once', async () => {
		const options = { ...requestLimits({ concurrency: 2 }), includeInteractions: true };
		const { records, readsAt } = await getAll({ simplify: true, options });
		expect(records.map(({ interactions }) => interactions)).toEqual(
			['s1', 's2', 's3'].map(interactionsOf),
		);
		const added = ['answers', 'interactions', 'interactionsFound'];
		for (const record of records) expect(Object.keys(record).slice(-3)).toEqual(added);
		expect(readsAt).toEqual([100, 100, 200]);
	});

	test('reads nothing where the option is off', async () => {
		const { records, readsAt } = await getAll({ options: { addAnswers: false } });
		expect(records[0]).toEqual(makeSession('s1', 'page_1'));
		expect(readsAt).toEqual([]);
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
		expect(hints).toEqual([
			'The interactions of some sessions could not be read. The field interactionsError says why [item 0, counted from 0].',
		]);
	});

	test('writes them into files, as a column or a field', async () => {
		const csv = (await getAll({ options: asFile('csv') })).output.map(readFile);
		expect(csv).toHaveLength(2);
		expect(csv[1]).toContain(',answers,interactionsFound,interactionsError,otherFields\n');
		expect(csv[1]).toContain(',"{""Your name"":""Ada s3""}",true,,');
		const options = { ...asFile('jsonl'), includeInteractions: true };
		const lines = (await getAll({ options })).output;
		expect(JSON.parse(readFile(lines[1]))).toEqual({
			...makeSession('s3', 'page_2'),
			answers: answersOf('s3'),
			interactions: interactionsOf('s3'),
			interactionsFound: true,
		});
	});

	test.each([false, true])(
		'keeps them among the fields that are selected (by an AI tool: %p)',
		async (asTool) => {
			const outputFields = ['pageId'];
			const { records } = await getAll(
				asTool ? { output: 'selectedFields', outputFields } : { options: { outputFields } },
				asTool,
			);
			expect(records[0]).toEqual({
				audienceSessionId: 's1',
				pageId: 'page_1',
				answers: answersOf('s1'),
				interactionsFound: true,
			});
		},
	);
});

test('Get by Form Submission adds them to the session of each item', async () => {
	const items = ['s1', 's2', 'unknown'].map((id) => ({ id }));
	const find = async (own: Parameters<typeof run>[2]) =>
		await run('getByFormSubmission', items, {
			pageId: 'page_1',
			identifier: '={{ $json.id }}',
			...own,
		});
	const { records, readsAt } = await find({ simplify: true });
	const added = (id: string) => ({ answers: answersOf(id), interactionsFound: true });
	expect(records).toMatchObject([added('s1'), added('s2'), { found: false }]);
	expect(readsAt).toHaveLength(2);
	const { records: chosen } = await find({ options: { outputFields: ['pageId'] } });
	expect(chosen[1]).toEqual({
		...{ audienceSessionId: 's2', pageId: 'page_1', found: true, foundBy: 'audienceSessionId' },
		...added('s2'),
	});
	const others = await find({ addAnswers: false, options: { includeInteractions: true } });
	expect(others.records[1]).toMatchObject({ interactions: interactionsOf('s2') });
	expect(others.records[1]).not.toHaveProperty('answers');
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
