import type { IDataObject } from 'n8n-workflow';
import { type ApiRequest, at } from '../../../nodes/api/request.ts';
import type { InputSource } from '../../../nodes/PageAudience/operation/operation.ts';
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
	/** What to search by: an input item, or a text that is entered beside another one. */
	by?: IDataObject | string;
	page?: string;
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
	for (const { by = 'submission_1', page: pageId = 'page_1', options = {} } of items) {
		const isText = typeof by === 'string';
		const values = { pageId, identifier: isText ? by : '', addAnswers: false, options };
		const json = isText ? { id: 'submission_2' } : by;
		const request = getByFormSubmission.request(values, { json } as InputSource);
		records.push(await getByFormSubmission.run?.(values, { ...call, json, request } as never));
	}
	return { requests, waits, records };
}

const requestOf = (page: string, startDate: string): ApiRequest => ({
	...{ method: 'GET', ...at.page`/pages/${page}/audience_sessions` },
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
const deeper = { fields: { formSubmissionId: '9007199254740991' } };
const severalIds = new Error(
	'The input item has several values of formSubmissionId: "9" and "submission_1". A visitor may have typed one of them. Drag the right one into Form Submission or Session ID',
);
const noId = new Error(
	'The input item has no ID of a form submission or session, such as formSubmissionId. Connect the trigger to this node, or drag the ID into Form Submission or Session ID',
);
const both = (one: string, other: string) => ({
	data: { formSubmissionId: one },
	fields: { formSubmissionId: other },
});
type Row = [by: IDataObject | string, outcome?: IDataObject | Error, foundBy?: string];

test.each<Row>([
	// A text counts, whatever the item has. Of several sessions, it is the newest.
	['submission_1', newer, byForm],
	['audsession_2', newer, bySession],
	['analytics_1', newer, byVisitor],
	[{ formSubmissionId: 'submission_1' }, newer, byForm],
	[{ data: [{ analyticsSessionId: 'analytics_1' }] }, newer, byVisitor],
	[{ rows: [{ at: { audienceSessionId: ' audsession_1\n' } }] }, older, bySession],
	[{ formSubmissionId: 9007199254740991 }, numbered, byForm],
	[{ analyticsSessionId: '4' }, numbered, byVisitor],
	// The submission counts first, unless it stands deeper: a visitor may have sent a field of its name.
	[{ audienceSessionId: 'audsession_1', formSubmissionId: 'submission_1' }, newer, byForm],
	[{ audienceSessionId: 'audsession_1', ...deeper }, older, bySession],
	[{ formSubmissionId: '9', fields: [{ audienceSessionId: 'audsession_1' }] }],
	[{ analyticsSessionId: 'analytics_1', audienceSessionId: 'audsession_1' }, older, bySession],
	[{ formSubmissionId: null, audienceSessionId: 'audsession_1' }, older, bySession],
	// No other value counts.
	[{ formSubmissionId: '9', reference: 'audsession_1', age: 4 }],
	[{ data: { audienceSessionId: 'audsession_9' }, id: 'submission_1' }],
	[{ formSubmissionId: 'audsession_1' }],
	...[...spellings, 'data.formSubmissionId'].flatMap((name): Row[] => [
		[{ [name]: '9', reference: 'audsession_1' }],
		[{ [name]: 'submission_1', reference: 'audsession_3' }, newer, byForm],
	]),
	// Of several values of one name, none counts, even where one of them matches.
	[both('9', 'submission_1'), severalIds],
	[both('submission_1', 'submission_1'), newer, byForm],
	[{ id: 'submission_1' }, noId],
	[{ otherFormSubmissionId: 'submission_1', rows: ['audsession_1', null, 4] }, noId],
	[{ event: { formSubmissionId: null, fields: { formSubmissionId: 'submission_1' } } }, noId],
	[{ formSubmissionId: ' ' }, noId],
])('%j leads to %p', async (...[by, outcome, foundBy]) => {
	const looked = look([{ by }], [[older, newer, numbered]]);
	if (outcome instanceof Error) return await expect(looked).rejects.toThrow(outcome);
	const record = outcome ? { ...outcome, found: true, foundBy } : { found: false };
	expect((await looked).records).toEqual([[record]]);
});

const usual = '2026-03-08T12:00:00.000Z';

test.each<[what: string, other: Item, startDate: string]>([
	['page', { page: 'page_2' }, usual],
	['look-back', { options: { lookBackHours: 1 } }, '2026-03-10T11:00:00.000Z'],
	['wait', { options: { waitUpToSeconds: 9 } }, usual],
])('an item with another %s has readings of its own', async (_, other, startDate) => {
	const { requests } = await look([{}, other]);
	const second = requestOf(other.page ?? 'page_1', startDate);
	expect(requests).toEqual([requestOf('page_1', usual), second]);
});

const early = session(1, { formSubmissionId: null });
const ofOther = session(1, { formSubmissionId: '7', analyticsSessionId: 'analytics_2' });
const ofVisitor = { formSubmissionId: 'submission_2', analyticsSessionId: 'analytics_1' };
const ofBoth = { formSubmissionId: 'submission_2', audienceSessionId: 'audsession_1' };
const whole = [5_000, 3_000];
type Wait = [
	...[what: string, by: Item['by'], lists: IDataObject[][], waits: number[]],
	...[found?: IDataObject, foundBy?: string],
];

test.each<Wait>([
	['is there', 'audsession_1', [[older]], [], older, bySession],
	['has no submission yet', 'audsession_1', [[early], [early], [older]], whole, older, bySession],
	['never has a submission', 'audsession_1', [[early]], whole, early, bySession],
	['is not there', 'no', [[older]], whole],
	// A session by its visitor is taken only when the wait is over.
	['may be a later one', { [byVisitor]: 'analytics_1' }, [[older]], whole, older, byVisitor],
	['comes late', ofVisitor, [[older], [older, session(2)]], [5_000], session(2), byForm],
	['never comes', ofVisitor, [[older]], whole, older, byVisitor],
	['is that of the submission', ofBoth, [[ofOther], [session(2)]], [5_000], session(2), byForm],
])('an item waits until its session %s', async (...[, by, lists, waits, found, foundBy]) => {
	const item = { by, options: { waitUpToSeconds: 8 } };
	const { requests, ...looked } = await look([item], lists);
	const record = found ? { ...found, found: true, foundBy } : { found: false };
	expect(looked).toEqual({ waits, records: [[record]] });
	expect(requests).toHaveLength(waits.length + 1);
});

test('a later item takes the newest reading, without another request', async () => {
	const options = { waitUpToSeconds: 8 };
	const [before, after] = [false, true].map((hasConversion) => session(1, { hasConversion }));
	const items = [{ by: 'submission_2', options }, { options }];
	const { requests, records } = await look(items, [[before], [after, session(2)]]);
	expect(requests).toHaveLength(2);
	expect(records).toMatchObject([[session(2)], [after]]);
});
