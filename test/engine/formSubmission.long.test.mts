import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { waitFor } from '../waitFor.mts';
import type { Run } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let page: string;
beforeEach(() => {
	const { store } = stage.sandbox;
	page = store.pages.all()[0].pageId;
	store.addSessions(page, 120);
	// The seed's sessions are old.
	for (const [n, session] of store.sessions.of(page).entries())
		session.sessionStartedAt = new Date(Date.now() - n * 60_000).toISOString();
});

const submitted = () =>
	stage.sandbox.store.sessions.of(page).filter(({ formSubmissionId }) => formSubmissionId !== '');

const find = async (items: IDataObject[], more: INodeParameters = {}, run: Partial<Run> = {}) =>
	await stage.run(
		{
			resource: 'audienceSession',
			operation: 'getByFormSubmission',
			pageId: page,
			simplify: false,
			...more,
		},
		items,
		run,
	);

/** How often the list was read from its beginning. 1,000 sessions at once are refused. */
const countReadings = () =>
	stage.sandbox.requests.filter(({ query }) => query.limit === '100' && query.cursor === undefined)
		.length;

test('finds the session of each item, wherever its ID is, and reads the list once', async () => {
	const [one, two] = submitted();
	const { output, error, hints } = await find([
		{ event: { data: { submission: one.formSubmissionId } } },
		{ rows: [two.audienceSessionId, 'something else'] },
		{ visit: two.analyticsSessionId },
		{ nothing: 'that_is_known' },
	]);
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json)).toEqual([
		{ ...one, found: true, foundBy: 'formSubmissionId' },
		{ ...two, found: true, foundBy: 'audienceSessionId' },
		{ ...two, found: true, foundBy: 'analyticsSessionId' },
		{ found: false },
	]);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2, 3].map((item) => ({ item })),
	);
	expect(countReadings()).toBe(1);
	const pages = Math.ceil(stage.sandbox.store.sessions.of(page).length / 100);
	expect(stage.sandbox.requests).toHaveLength(1 + pages);
	expect(hints).toEqual([]);
});

test('finds an ID that is entered, of any length', async () => {
	const [one, two, three, four] = submitted();
	two.formSubmissionId = 'fs_4711';
	three.audienceSessionId = 's3';
	four.analyticsSessionId = '4';
	const text = { searchIn: 'text', identifier: '={{ $json.id }}' };
	const ids = [` ${one.formSubmissionId} `, 'fs_4711\n', 's3', '4', 'short'];
	const { output, error } = await find(
		ids.map((id) => ({ id })),
		text,
	);
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => [json.audienceSessionId, json.foundBy])).toEqual([
		[one.audienceSessionId, 'formSubmissionId'],
		[two.audienceSessionId, 'formSubmissionId'],
		['s3', 'audienceSessionId'],
		[four.audienceSessionId, 'analyticsSessionId'],
		[undefined, undefined],
	]);
	stage.sandbox.requests.length = 0;
	const blank = await find([{ id: ' ' }, { id: 'short' }], text);
	expect(blank.error?.message).toBe('Identifier is required [item 0]');
	expect(stage.sandbox.requests).toEqual([]);
});

test('an item that holds no text is invalid', async () => {
	const [one] = submitted();
	const items = [{ id: one.formSubmissionId }, {}, { id: ' ', n: [1.5, null, true] }];
	const message =
		'The input item has no ID of a form submission or session. Connect the trigger to this node, or set Search In to Text';
	const stopped = await find(items);
	expect(stopped.error?.message).toBe(`${message} [items 1 and 2]`);
	expect(stage.sandbox.requests).toEqual([]);
	const { output } = await find(items, {}, { onError: 'continueRegularOutput' });
	expect(output.map(({ json }) => json.found)).toEqual([true, undefined, undefined]);
	for (const { json } of output.slice(1)) expect(json.error).toContain(message);
});

test('finds nothing by a text that is no ID, or only contains one', async () => {
	const [one] = submitted();
	const { output } = await find([
		{ text: `New: ${one.formSubmissionId}` },
		{ a: 'null', b: 'undefined' },
		{ event: 'form.submitted', pageId: page, email: one.formSubmissionEmail },
	]);
	expect(output.map(({ json }) => json)).toEqual([
		{ found: false },
		{ found: false },
		{ found: false },
	]);
});

test('finds an ID that is a number, and none by a number that was rounded', async () => {
	const [one, two, three] = submitted();
	one.formSubmissionId = '123456789';
	two.formSubmissionId = '9007199254740992';
	three.formSubmissionId = '9007199254740991';
	const ids = [123456789, 2 ** 53, 2 ** 53 - 1];
	const wanted = [one.audienceSessionId, undefined, three.audienceSessionId];
	const item = await find(
		ids.map((submissionId) => ({ data: { submissionId } })),
		{},
		{ onError: 'continueRegularOutput' },
	);
	expect(item.output.map(({ json }) => json.audienceSessionId)).toEqual(wanted);
	expect(item.output[1].json.error).toContain('The input item has no ID');
	const text = await find(
		ids.map((id) => ({ id })),
		{ searchIn: 'text', identifier: '={{ $json.id }}' },
		{ onError: 'continueRegularOutput' },
	);
	expect(text.output.map(({ json }) => json.audienceSessionId)).toEqual(wanted);
	expect(text.output[1].json.error).toContain('Identifier');
	expect(text.output[1].json.error).toContain('too large to be exact');
});

test('simplifies the session and keeps found', async () => {
	const [one] = submitted();
	const items = [{ id: one.formSubmissionId }, { id: 'unknown_1' }];
	const { output } = await find(items, { simplify: true });
	expect(Object.keys(output[0].json)).toHaveLength(12);
	expect(output.map(({ json }) => json.found)).toEqual([true, false]);
	expect(output[0].json.audienceSessionId).toBe(one.audienceSessionId);
});

test('an AI tool finds the ID that the model gives, and nothing in the conversation', async () => {
	const [one, two] = submitted();
	const { output } = await find(
		[{ chat: one.formSubmissionId }],
		{ identifier: two.formSubmissionId, output: 'raw' },
		{ asTool: true },
	);
	expect(output[0].json).toMatchObject({ audienceSessionId: two.audienceSessionId, found: true });
});

test('of several sessions with the ID, the newest one is returned', async () => {
	const [one, two] = submitted();
	two.formSubmissionId = one.formSubmissionId;
	const [older, newer] = [one, two].sort((a, b) =>
		a.sessionStartedAt.localeCompare(b.sessionStartedAt),
	);
	const { output } = await find([
		{ form: one.formSubmissionId },
		// The submission counts first.
		{ form: one.formSubmissionId, session: older.audienceSessionId },
	]);
	for (const { json } of output)
		expect(json).toEqual({ ...newer, found: true, foundBy: 'formSubmissionId' });
});

test('looks no further back than wanted', async () => {
	const [one, two] = submitted();
	one.sessionStartedAt = new Date(Date.now() - 5 * 3_600_000).toISOString();
	two.sessionStartedAt = new Date(Date.now() - 47 * 3_600_000).toISOString();
	const items = [{ id: one.formSubmissionId }, { id: two.formSubmissionId }];
	const found = async (lookBackHours: number) =>
		(await find(items, { options: { lookBackHours } })).output.map(({ json }) => json.found);
	expect(await found(4)).toEqual([false, false]);
	expect(await found(6)).toEqual([true, false]);
	stage.sandbox.requests.length = 0;
	expect((await find(items)).output.map(({ json }) => json.found)).toEqual([true, true]);
	const [{ query }] = stage.sandbox.requests;
	expect(query.endDate).toBeUndefined();
	const hours = (Date.now() - Date.parse(String(query.startDate))) / 3_600_000;
	expect(hours).toBeCloseTo(48, 1);
});

test('looks back a year at most', async () => {
	const { error } = await find([{ id: 'submission_1' }], { options: { lookBackHours: 1e12 } });
	expect(error?.message).toContain(
		'Options > Look Back (Hours) must be 8760 or less, but is 1000000000000',
	);
	expect(stage.sandbox.requests).toEqual([]);
});

test('waits for sessions that are late, and reads for all of them at once', async () => {
	const { store } = stage.sandbox;
	const late = store.addSessions(page, 12).slice(0, 12);
	const ids = late.map((session, n) => (session.formSubmissionId = `submission_late_${n}`));
	// The service shows them from the second reading on.
	for (const session of late) session.sessionStartedAt = '2001-01-01T00:00:00Z';
	const running = find(
		[...ids, 'submission_never'].map((id) => ({ id })),
		{ options: { waitUpToSeconds: 4, concurrency: 2 } },
	);
	await waitFor('the first reading', () => countReadings() > 0);
	for (const session of late) session.sessionStartedAt = new Date().toISOString();
	const { output, error } = await running;
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json.found)).toEqual([...ids.map(() => true), false]);
	// At once, and at the end of the time.
	expect(countReadings()).toBe(2);
});

test('takes no other visit, and no session without its submission, while it can wait', async () => {
	const [earlier, unfilled, late] = submitted();
	const [first, second] = [unfilled.formSubmissionId, late.formSubmissionId];
	late.analyticsSessionId = earlier.analyticsSessionId;
	const startedAt = late.sessionStartedAt;
	late.sessionStartedAt = '2001-01-01T00:00:00Z';
	unfilled.formSubmissionId = '';
	const visit = { analyticsSessionId: earlier.analyticsSessionId };
	const items = [
		{ formSubmissionId: second, ...visit },
		{ formSubmissionId: first, audienceSessionId: unfilled.audienceSessionId },
		{ formSubmissionId: 'submission_never', ...visit },
		{ id: unfilled.audienceSessionId },
	];
	const running = find(items, { options: { waitUpToSeconds: 4, concurrency: 2 } });
	await waitFor('the first reading', () => countReadings() > 0);
	late.sessionStartedAt = startedAt;
	unfilled.formSubmissionId = first;
	const { output, error } = await running;
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json)).toEqual([
		{ ...late, found: true, foundBy: 'formSubmissionId' },
		{ ...unfilled, found: true, foundBy: 'formSubmissionId' },
		// The newest of the visitor's sessions.
		{ ...earlier, found: true, foundBy: 'analyticsSessionId' },
		{ ...unfilled, found: true, foundBy: 'audienceSessionId' },
	]);
	expect(countReadings()).toBe(2);
});

test('does not wait where the only ID is that of a session with its submission', async () => {
	const [one, two] = submitted();
	const options = { waitUpToSeconds: 600 };
	const event = { event: 'form.submitted', pageId: page };
	const items = [{ ...event, audienceSessionId: one.audienceSessionId }];
	const { output } = await find(items, { options });
	expect(output[0].json).toEqual({ ...one, found: true, foundBy: 'audienceSessionId' });
	const text = { searchIn: 'text', identifier: two.audienceSessionId, options };
	expect((await find([{}], text)).output[0].json.audienceSessionId).toBe(two.audienceSessionId);
	expect(countReadings()).toBe(2);
});

test('a reading that fails is an error, not a session that was not found', async () => {
	const target = { operationId: 'listAudienceSessions' };
	stage.sandbox.faults.add({ ...target, kind: 'status', status: 400, times: Infinity });
	const { output } = await find(
		[{ id: 'unknown_1' }, { id: 'unknown_2' }],
		{},
		{
			onError: 'continueRegularOutput',
		},
	);
	for (const { json } of output) expect(json.error).toContain('rejected the request (400)');
	// The refused sizes of a page, and no second reading.
	expect(stage.sandbox.requests).toHaveLength(3);
});

test('ends at once when it is cancelled while it waits', async () => {
	const controller = new AbortController();
	const items = [{ id: 'unknown_1' }, { id: submitted()[0].analyticsSessionId }];
	const options = { waitUpToSeconds: 600 };
	const running = find(items, { options }, { signal: controller.signal });
	await waitFor('the first reading', () => countReadings() > 0);
	controller.abort();
	expect(await running).toMatchObject({ output: [], status: 'canceled' });
});
