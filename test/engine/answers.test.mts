import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkedTo, type Run } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();

interface Scene {
	pageId: string;
	/** Of two sessions. */
	ids: string[];
	answers: IDataObject[];
}

/** Two pages. The first two sessions of each are recent, and have known answers. */
let scenes: Scene[];
beforeEach(() => {
	const { store } = stage.sandbox;
	store.interactions.clear();
	const pages = store.pages.all().filter(({ pageId }) => store.sessions.of(pageId).length > 1);
	scenes = pages.slice(0, 2).map(({ pageId }, at) => {
		const ids = store.sessions
			.of(pageId)
			.slice(0, 2)
			.map((session, n) => {
				// In the order of the list, which begins with the earliest.
				session.sessionStartedAt = new Date(Date.now() - 60_000 + n).toISOString();
				const { audienceSessionId } = session;
				const answers = [
					['Start', ''],
					['Turnover', `turnover ${at}${n}`],
					['Your\nname', `Ada ${at}${n}`],
					['Your name', `Lovelace ${at}${n}`],
				];
				for (const [label, responseText] of answers) add(audienceSessionId, label, responseText);
				return audienceSessionId;
			});
		const answers = [0, 1].map((n) => ({
			Turnover: `turnover ${at}${n}`,
			'Your name': `Ada ${at}${n}`,
			'Your name (2)': `Lovelace ${at}${n}`,
		}));
		return { pageId, ids, answers };
	});
});

function add(audienceSessionId: string, label: string, responseText: string) {
	const interaction = {
		componentContext: 'form',
		componentId: 'field',
		groundingChunkIds: [],
		label,
		options: [],
		responseText,
		timestamp: 1,
	};
	stage.sandbox.store.interactions.add({ audienceSessionId, interaction });
}

const run = async (
	operation: string,
	items: IDataObject[],
	{ options = {}, ...more }: { options?: INodeParameters } & INodeParameters = {},
	settings: Partial<Run> = {},
) =>
	await stage.run(
		{
			resource: 'audienceSession',
			operation,
			simplify: false,
			...more,
			options: { addAnswers: true, ...options },
		},
		items,
		settings,
	);

const getAll = async (more: Parameters<typeof run>[2] = {}, settings: Partial<Run> = {}) =>
	await run(
		'getAll',
		scenes.map(({ pageId }) => ({ pageId })),
		{
			pageId: '={{ $json.pageId }}',
			filters: { startDate: new Date(Date.now() - 600_000).toISOString() },
			...more,
		},
		settings,
	);

const readFile = (item: { binary?: { data?: { data: string } } }) =>
	Buffer.from(item.binary?.data?.data ?? '', 'base64').toString();

const countReads = () => stage.received.filter((each) => each.endsWith('/interactions')).length;

describe('Get Many', () => {
	test('adds the answers to each session, without its interactions', async () => {
		const { output, error, hints } = await getAll();
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		for (const [item, { ids, answers }] of scenes.entries()) {
			const own = linkedTo(output, item).map(({ json }) => json);
			expect(own.map(({ audienceSessionId }) => audienceSessionId)).toEqual(ids);
			expect(own.map((each) => each.answers)).toEqual(answers);
			for (const session of own) {
				expect(Object.keys(session.answers as object)).toEqual(Object.keys(answers[0]));
				expect(Object.keys(session).slice(-2)).toEqual(['answers', 'interactionsFound']);
			}
		}
	});

	test('adds both with Include Interactions, by one request for each session', async () => {
		const { output } = await getAll({ includeInteractions: true, simplify: true });
		expect(output).toHaveLength(4);
		for (const { json } of output) {
			expect(json.analyticsSessionId).toBeUndefined();
			expect(json.interactions).toHaveLength(4);
			expect(Object.keys(json).slice(-3)).toEqual(['answers', 'interactions', 'interactionsFound']);
		}
		expect(countReads()).toBe(4);
	});

	test('reads nothing where the option is off', async () => {
		const { output } = await getAll({ options: { addAnswers: false } });
		expect(output[0].json).not.toHaveProperty('answers');
		expect(countReads()).toBe(0);
	});

	test('says of which session they could not be read', async () => {
		const [{ ids }] = scenes;
		const path = (id: string) => `/v0/audience_sessions/${id}/interactions`;
		stage.sandbox.faults.add({ kind: 'status', status: 404, path: path(ids[0]) });
		const body = { found: false };
		stage.sandbox.faults.add({ kind: 'answer', body, path: path(ids[1]) });
		const { output, hints } = await getAll();
		expect(output.map(({ json }) => json)).toMatchObject([
			{
				answers: null,
				interactionsFound: null,
				interactionsError: `GET /v0/audience_sessions/${ids[0]}/interactions was not found (404)`,
			},
			{ answers: {}, interactionsFound: false },
			...scenes[1].answers.map((answers) => ({ answers, interactionsFound: true })),
		]);
		expect(output[1].json).not.toHaveProperty('interactionsError');
		expect(hints).toContain(
			'The interactions of some sessions could not be read. The field interactionsError says why [item 0, counted from 0].',
		);
	});

	test('never replaces a field of the API', async () => {
		const [{ ids }] = scenes;
		const items = [{ audienceSessionId: ids[0], answers: 42 }, { audienceSessionId: ids[1] }];
		const body = { items, hasMore: false, nextCursor: null, totalCount: 2 };
		const target = { operationId: 'listAudienceSessions' };
		stage.sandbox.faults.add({ ...target, kind: 'answer', body, times: 2 });
		const { output } = await getAll();
		expect(output.map(({ json }) => json.answers)).toEqual([
			42,
			scenes[0].answers[1],
			42,
			scenes[0].answers[1],
		]);
	});

	test('writes them into files, as a column or a field', async () => {
		const csv = (await getAll({ outputAs: 'csv' })).output;
		expect(csv).toHaveLength(2);
		for (const [item, { answers }] of scenes.entries()) {
			const [header, first] = readFile(csv[item]).split('\n');
			expect(header.split(',').slice(-4)).toEqual([
				'answers',
				'interactionsFound',
				'interactionsError',
				'otherFields',
			]);
			expect(first).toContain(`"${JSON.stringify(answers[0]).replaceAll('"', '""')}",true,,`);
		}
		const lines = (await getAll({ outputAs: 'jsonl', includeInteractions: true })).output;
		for (const [item, { answers }] of scenes.entries()) {
			const records = readFile(lines[item]).trimEnd().split('\n');
			expect(records.map((line) => (JSON.parse(line) as IDataObject).answers)).toEqual(answers);
			expect(records.every((line) => line.includes('"interactions":['))).toBe(true);
		}
	});

	test('keeps them among the fields that an AI tool selects', async () => {
		const more = { output: 'selectedFields', outputFields: ['pageId'] };
		const { output } = await getAll(more, { asTool: true });
		expect(output[0].json).toEqual({
			audienceSessionId: scenes[0].ids[0],
			pageId: scenes[0].pageId,
			answers: scenes[0].answers[0],
			interactionsFound: true,
		});
	});
});

describe('Get by Form Submission', () => {
	const find = async (more: Parameters<typeof run>[2] = {}) => {
		const [{ pageId, ids }] = scenes;
		const items = [...ids, 'submission_unknown'].map((id) => ({ id }));
		return await run('getByFormSubmission', items, { pageId, ...more });
	};

	test('adds the answers to the session of each item', async () => {
		const { output, error, hints } = await find({ simplify: true });
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		const [{ ids, answers }] = scenes;
		expect(output.map(({ json }) => json)).toEqual([
			...answers.map((each, n) => ({
				...output[n].json,
				audienceSessionId: ids[n],
				found: true,
				answers: each,
				interactionsFound: true,
			})),
			{ found: false },
		]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(countReads()).toBe(2);
	});

	test('adds the interactions alone, or nothing', async () => {
		const off = { addAnswers: false };
		const { output } = await find({ includeInteractions: true, options: off });
		expect(output.map(({ json }) => (json.interactions as unknown[])?.length)).toEqual([
			4,
			4,
			undefined,
		]);
		expect(output[0].json).not.toHaveProperty('answers');
		stage.sandbox.requests.length = 0;
		expect((await find({ options: off })).output[0].json).not.toHaveProperty('interactionsFound');
		expect(countReads()).toBe(0);
	});

	test('returns a session whose interactions cannot be read', async () => {
		stage.sandbox.faults.add({
			kind: 'status',
			status: 403,
			path: new RegExp(`${scenes[0].ids[0]}/interactions`),
		});
		const { output, hints } = await find();
		expect(output.map(({ json }) => json)).toMatchObject([
			{
				found: true,
				answers: null,
				interactionsFound: null,
				interactionsError: 'The API key has no access to this (403)',
			},
			{ found: true, answers: scenes[0].answers[1] },
			{ found: false },
		]);
		expect(hints).toEqual([
			'The interactions of some sessions could not be read. The field interactionsError says why [item 0, counted from 0].',
		]);
	});
});

describe('Get Interactions', () => {
	const read = async (ids: string[], options: INodeParameters = {}) =>
		await run(
			'getInteractions',
			ids.map((id) => ({ id })),
			{ audienceSessionId: '={{ $json.id }}', options },
		);

	test('adds the answers of the whole session to each interaction', async () => {
		const { ids, answers } = scenes[1];
		const { output } = await read(ids);
		for (const item of [0, 1]) {
			const own = linkedTo(output, item).map(({ json }) => json);
			expect(own.map(({ label }) => label)).toEqual([
				'Start',
				'Turnover',
				'Your\nname',
				'Your name',
			]);
			for (const json of own)
				expect(json).toMatchObject({ audienceSessionId: ids[item], answers: answers[item] });
		}
	});

	test('adds no answers to a session without interactions that is kept', async () => {
		const { ids, answers } = scenes[0];
		stage.sandbox.store.interactions.clear();
		add(ids[1], 'Your name', answers[1]['Your name'] as string);
		const kept = await read(ids, { keepEmpty: true });
		expect(kept.output.map(({ json }) => json)).toMatchObject([
			{ audienceSessionId: ids[0], found: true, interactions: [], answers: {} },
			{ label: 'Your name', answers: { 'Your name': answers[1]['Your name'] } },
		]);
		expect((await read(ids)).output).toHaveLength(1);
	});
});
