import type { IDataObject } from 'n8n-workflow';
import { type ApiRequest, at } from '../../../nodes/api/request.ts';
import { getByFormSubmission } from '../../../nodes/PageAudience/resources/formSubmission.ts';

beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-03-10T12:00:00.000Z') }));
afterEach(() => jest.useRealTimers());

const session = (n: number, more: IDataObject = {}): IDataObject => ({
	audienceSessionId: `audsession_${n}`,
	analyticsSessionId: 'analytics_1',
	formSubmissionId: `submission_${n}`,
	sessionStartedAt: '2026-03-10T10:00:00.000Z',
	...more,
});

interface Item {
	/** An input item to search by, in place of a text. */
	json?: IDataObject;
	page?: string;
	identifier?: string;
	options?: { lookBackHours?: number; waitUpToSeconds?: number };
}

/** The items of one call, and what they ask for. `lists` is what each reading finds. */
async function look(items: Item[], lists: IDataObject[][] = [[session(1), session(2)]]) {
	const requests: ApiRequest[] = [];
	const waits: number[] = [];
	const made = new Map<string, unknown>();
	const call = {
		once: (name: string, make: () => unknown) => {
			if (!made.has(name)) made.set(name, make());
			return made.get(name);
		},
		wait: async (ms: number) => {
			waits.push(ms);
			jest.setSystemTime(Date.now() + ms);
			return await Promise.resolve();
		},
		list: async (request: ApiRequest, { pick }: { pick: (each: IDataObject) => unknown[] }) => {
			requests.push(request);
			const sessions = lists[requests.length - 1] ?? lists.at(-1) ?? [];
			return await Promise.resolve({ found: sessions.flatMap(pick), isWhole: true });
		},
	};
	const records: unknown[] = [];
	for (const { page = 'page_1', json, identifier = 'submission_1', options = {} } of items) {
		const request = { method: 'GET', ...at.page`/pages/${page}/audience_sessions` } as const;
		const values = { identifier: json ? '' : identifier, addAnswers: false, options };
		const source = { json: json ?? { id: 'submission_2' }, request };
		records.push(await getByFormSubmission.run?.(values, { ...call, ...source } as never));
	}
	return { requests, waits, records };
}

const asked = (page: string, startDate: string): ApiRequest => ({
	method: 'GET',
	...at.page`/pages/${page}/audience_sessions`,
	query: { startDate },
});

const [older, newer, numbered] = [
	session(1),
	session(2, { formSubmissionId: 'submission_1', sessionStartedAt: '2026-03-10T11:00:00.000Z' }),
	session(3, { formSubmissionId: '9007199254740991', analyticsSessionId: 4 }),
];
const [byForm, bySession] = ['formSubmissionId', 'audienceSessionId'];
const byVisitor = 'analyticsSessionId';
const spellings = ['form_submission_id', 'FormSubmissionID', 'Form Submission ID '];

test.each<[json: IDataObject, session?: IDataObject, foundBy?: string]>([
	// The newest of several.
	[{ formSubmissionId: 'submission_1' }, newer, byForm],
	[{ data: [{ analyticsSessionId: 'analytics_1' }] }, newer, byVisitor],
	[{ rows: [{ at: { audienceSessionId: ' audsession_1\n' } }] }, older, bySession],
	[{ formSubmissionId: 9007199254740991 }, numbered, byForm],
	[{ analyticsSessionId: '4' }, numbered, byVisitor],
	// The submission counts first, unless it stands deeper: a visitor may have sent a field of its name.
	[{ audienceSessionId: 'audsession_1', formSubmissionId: 'submission_1' }, newer, byForm],
	[
		{ audienceSessionId: 'audsession_1', fields: { formSubmissionId: '9007199254740991' } },
		older,
		bySession,
	],
	[{ formSubmissionId: '9', fields: [{ audienceSessionId: 'audsession_1' }] }],
	[{ analyticsSessionId: 'analytics_1', audienceSessionId: 'audsession_1' }, older, bySession],
	[{ formSubmissionId: null, audienceSessionId: 'audsession_1' }, older, bySession],
	// No other value counts.
	[{ formSubmissionId: '9', reference: 'audsession_1', age: 4 }],
	[{ data: { audienceSessionId: 'audsession_9' }, id: 'submission_1' }],
	[{ formSubmissionId: 'audsession_1' }],
	...[...spellings, 'data.formSubmissionId'].flatMap(
		(name): Array<[IDataObject, IDataObject?, string?]> => [
			[{ [name]: '9', reference: 'audsession_1' }],
			[{ [name]: 'submission_1', reference: 'audsession_3' }, newer, byForm],
		],
	),
])('the input item %j leads to %j by %s', async (...[json, found, foundBy]) => {
	const { records } = await look([{ json }], [[older, newer, numbered]]);
	expect(records).toEqual([[found ? { ...found, found: true, foundBy } : { found: false }]]);
});

test.each(['submission_1', 'audsession_2', 'analytics_1'])(
	'the text %s leads to the newest session with it, whatever the item has',
	async (identifier) => {
		const { records } = await look([{ identifier }], [[older, newer, numbered]]);
		expect(records).toMatchObject([[{ ...newer, found: true }]]);
	},
);

test('of an input item with several values of one name, none counts, even where one of them matches', async () => {
	const json = { data: { formSubmissionId: '9' }, fields: { formSubmissionId: 'submission_1' } };
	await expect(look([{ json }])).rejects.toThrow(
		'The input item has several values of formSubmissionId: "9" and "submission_1". A visitor may have typed one of them.',
	);
	const twice = {
		a: { formSubmissionId: 'submission_2' },
		b: { formSubmissionId: 'submission_2' },
	};
	expect((await look([{ json: twice }])).records).toMatchObject([[session(2)]]);
});

test('an input item that names no ID is refused, unless a text is given', () => {
	const request = (identifier: string, json: IDataObject) =>
		getByFormSubmission.request(
			{ pageId: 'page_1', identifier },
			{ json, zone: 'UTC', makeIdempotencyKey: () => 'unused', leftOut: [], hint: () => undefined },
		);
	const unnamed = [
		{ id: 'submission_1' },
		{ otherFormSubmissionId: 'submission_1', rows: ['audsession_1', null, 4] },
		{ event: { formSubmissionId: null, fields: { formSubmissionId: 'submission_1' } } },
		{ formSubmissionId: ' ' },
	];
	for (const json of unnamed)
		expect(() => request('', json)).toThrow(
			new Error(
				'The input item has no ID of a form submission or session, such as formSubmissionId. Connect the trigger to this node, or drag the ID into Form Submission or Session ID',
			),
		);
	const expected = { method: 'GET', ...at.page`/pages/${'page_1'}/audience_sessions` };
	expect(request('', { formSubmissionId: 'submission_1' })).toEqual(expected);
	expect(request('submission_1', { name: ' ' })).toEqual(expected);
});

test.each<[what: string, other: Item, request: ApiRequest]>([
	['page', { page: 'page_2' }, asked('page_2', '2026-03-08T12:00:00.000Z')],
	['look-back', { options: { lookBackHours: 1 } }, asked('page_1', '2026-03-10T11:00:00.000Z')],
	['wait', { options: { waitUpToSeconds: 9 } }, asked('page_1', '2026-03-08T12:00:00.000Z')],
])('an item with another %s has readings of its own', async (_, other, request) => {
	const { requests } = await look([{}, other]);
	expect(requests).toEqual([asked('page_1', '2026-03-08T12:00:00.000Z'), request]);
});

test('a session without its submission is read again as long as the item waits', async () => {
	const early = session(1, { formSubmissionId: null });
	const item = { identifier: 'audsession_1', options: { waitUpToSeconds: 8 } };
	const late = await look([item], [[early], [early], [session(1)]]);
	expect(late.waits).toEqual([5_000, 3_000]);
	expect(late.records).toEqual([[{ ...session(1), found: true, foundBy: 'audienceSessionId' }]]);
	const never = await look([item], [[early]]);
	expect(never.requests).toHaveLength(3);
	expect(never.records).toEqual([[{ ...early, found: true, foundBy: 'audienceSessionId' }]]);
	const none = await look([{ ...item, identifier: 'no' }]);
	expect(none).toMatchObject({ waits: [5_000, 3_000], records: [[{ found: false }]] });
	expect((await look([item], [[session(1)]])).waits).toEqual([]);
});

test('a later item takes the newest reading, without another request', async () => {
	const options = { waitUpToSeconds: 8 };
	const [before, after] = [false, true].map((hasConversion) => session(1, { hasConversion }));
	const items = [{ identifier: 'submission_2', options }, { options }];
	const { requests, records } = await look(items, [[before], [after, session(2)]]);
	expect(requests).toHaveLength(2);
	expect(records).toMatchObject([[session(2)], [after]]);
});

test('a session by its visitor is taken only when the wait is over', async () => {
	const json = { formSubmissionId: 'submission_2', analyticsSessionId: 'analytics_1' };
	const item = { json, options: { waitUpToSeconds: 8 } };
	const late = await look([item], [[session(1)], [session(1), session(2)]]);
	expect(late.waits).toEqual([5_000]);
	expect(late.records).toMatchObject([[{ ...session(2), foundBy: 'formSubmissionId' }]]);
	const never = await look([item], [[session(1)]]);
	expect(never.waits).toEqual([5_000, 3_000]);
	expect(never.records).toMatchObject([[{ ...session(1), foundBy: 'analyticsSessionId' }]]);
});

test('an item with several IDs waits for the session of its submission', async () => {
	const json = { formSubmissionId: 'submission_2', audienceSessionId: 'audsession_1' };
	const other = session(1, { formSubmissionId: '7', analyticsSessionId: 'analytics_2' });
	const item = { json, options: { waitUpToSeconds: 8 } };
	const { waits, records } = await look([item], [[other], [session(2)]]);
	expect(waits[0]).toBe(5_000);
	expect(records).toMatchObject([[session(2)]]);
});
