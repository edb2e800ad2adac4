import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	findSessions,
	identifyingFields,
	isCertain,
	leastLength,
	listIds,
} from '../../../nodes/PageAudience/resources/audienceSession/matching.ts';
import { generated } from '../../generated.mts';
import { moveToTokyo } from '../../inTokyo.mts';
import { expectLinear } from '../growth.mts';

const session = (n: number, more: IDataObject = {}): IDataObject => ({
	audienceSessionId: `audsession_${n}`,
	analyticsSessionId: `analytics_${n}`,
	formSubmissionId: `submission_${n}`,
	formSubmissionEmail: 'ada@example.com',
	...more,
});
const sessions = [session(1), session(2), session(3)];
const find = (item: unknown, list = sessions) =>
	(findSessions(list, listIds(item))?.sessions ?? []).map(
		({ audienceSessionId }) => audienceSessionId,
	);

test.each<[what: string, item: unknown]>([
	['at the top', { formSubmissionId: 'submission_2' }],
	['under any name', { id: 'submission_2' }],
	['deep inside', { data: [{ event: { object: ['form', 'submission_2'] } }] }],
	['with spaces around it', { id: ' submission_2\n' }],
	['beside others', { a: 'submission_unknown', b: 'submission_2', c: 17, d: null, e: true }],
	['as a text', 'submission_2'],
	['under the name of another ID', { session_id: 'submission_2' }],
	['of a session under the name of a form', { form_submission_id: 'audsession_2' }],
	['under the name of a page', { pageId: 'submission_2' }],
])('finds a session by an ID %s', (_, item) => {
	expect(find(item)).toEqual(['audsession_2']);
});

test.each<[what: string, item: unknown]>([
	['a longer text that contains the ID', { text: 'New: submission_2' }],
	['another value of the session', { email: 'ada@example.com' }],
	['the name of a field', { submission_2: 'a value' }],
	['nothing', {}],
	['an ID in other letters', { id: 'SUBMISSION_2' }],
])('finds no session by %s', (_, item) => {
	expect(find(item)).toEqual([]);
});

test('ignores texts that are too short to be an ID', () => {
	const short = [session(1, { formSubmissionId: '1234567' }), session(2, { formSubmissionId: '' })];
	expect(find({ a: '1234567', b: '' }, short)).toEqual([]);
	expect(find({ a: '12345678' }, [session(1, { formSubmissionId: '12345678' })])).toHaveLength(1);
});

test.each<[what: string, item: unknown, id: number | string | null]>([
	['a number by its text', { submissionId: 123456789 }, '123456789'],
	['a number by a number', { submissionId: 123456789 }, 123456789],
	['a text by a number', { submissionId: '123456789' }, 123456789],
	['a zero', { submissionId: 0 }, '0'],
	['the largest exact number', { a: [2 ** 53 - 1] }, '9007199254740991'],
])('finds a session: %s', (_, item, formSubmissionId) => {
	expect(find(item, [session(1, { formSubmissionId }), session(2)])).toEqual(['audsession_1']);
});

test.each<[what: string, item: unknown, id: number | string | null]>([
	// JSON.parse has rounded it, perhaps from 9007199254740993.
	['a number too large to be exact', { id: 2 ** 53 }, '9007199254740992'],
	['one that is written with an exponent', { id: 1e21 }, '1e+21'],
	['a rounded number in the session', { id: '9007199254740992' }, 2 ** 53],
	['a fraction', { id: 123456.789 }, '123456.789'],
	['a negative number', { id: -12345678 }, '-12345678'],
	['a short number', { id: 1234567 }, '1234567'],
	['what is neither text nor a number', { a: null, b: true, c: 'null' }, null],
])('finds no session by %s', (_, item, formSubmissionId) => {
	expect(find(item, [session(1, { formSubmissionId })])).toEqual([]);
});

test.each<[what: string, item: unknown]>([
	['formSubmissionId', { formSubmissionId: 'fs_2' }],
	['form_submission_id', { form_submission_id: 'fs_2' }],
	['submissionId', { data: { submissionId: ' fs_2 ' } }],
	['SUBMISSION-ID', { 'SUBMISSION-ID': 'fs_2' }],
	['Submission ID', { 'Submission ID': 'fs_2' }],
	['submission.id', { 'submission.id': 'fs_2' }],
	['id in submission', { submission: { id: 'fs_2' } }],
	['ID in form_submissions', { form_submissions: [{ ID: 'fs_2' }] }],
	['submissionIds', { submissionIds: ['fs_2'] }],
	['audienceSessionId', { audienceSessionId: 's2' }],
	['session_id', { session_id: 's2' }],
	['id in session', { session: { id: 2 } }],
	['analytics-session-id', { 'analytics-session-id': 2 }],
])('finds a short ID in a field that is named %s', (_, item) => {
	const short = [1, 2].map((n) =>
		session(n, { formSubmissionId: `fs_${n}`, audienceSessionId: `s${n}`, analyticsSessionId: n }),
	);
	expect(find(item, short)).toEqual(['s2']);
});

test.each(['id', 'paid', 'submission', 'submissionIdea', 'pageId', 'idOfSubmission', 'sessionKey'])(
	'finds no short ID in a field that is named %s',
	(name) =>
		expect(find({ [name]: 'fs_2' }, [session(2, { formSubmissionId: 'fs_2' })])).toEqual([]),
);

test('takes an ID for what the name of its field says', () => {
	const [one, two] = [
		session(1, {
			formSubmissionId: '12345678',
			audienceSessionId: '87654321',
			analyticsSessionId: '11112222',
		}),
		session(2, { formSubmissionId: '87654321', audienceSessionId: '12345678' }),
	];
	expect(find({ submissionId: '12345678' }, [one, two])).toEqual(['87654321']);
	expect(find({ audienceSessionId: 12345678 }, [one, two])).toEqual(['12345678']);
	expect(find({ audienceSessionId: '11112222' }, [one, two])).toEqual([]);
	expect(find({ analyticsSessionId: '12345678' }, [one, two])).toEqual([]);
	for (const name of ['any', 'orderId'])
		expect(find({ [name]: '12345678' }, [one, two])).toEqual(['87654321']);
	for (const owner of ['page', 'audience', 'tenant', 'person', 'prospect', 'account', 'version'])
		expect(find({ [`${owner}_id`]: '12345678' }, [one, two])).toEqual([]);
	expect(find({ subscriptions: [{ id: '12345678' }] }, [one, two])).toEqual([]);
});

test.each<[what: string, beside: IDataObject, certain: boolean]>([
	['alone', {}, true],
	['beside the kind of the event', { event: 'form.submitted', type: 'page.version.created' }, true],
	['beside the IDs of other records', { pageId: 'page_12345678', page: { id: 'page_2' } }, true],
	['beside a visit', { analyticsSessionId: 'analytics_9' }, true],
	[
		'beside what looks like no ID',
		{
			at: '2026-03-01T10:00:00Z',
			from: 'ada@example.com',
			url: 'https://a.example',
			text: 'a b c d e',
		},
		true,
	],
	['beside what may be an ID', { entry: 'submission_9' }, false],
	['beside what may be an ID with a date', { entry: 'entry-2026-03-01' }, false],
	['beside a submission that is not there yet', { submissionId: 'submission_9' }, false],
])('the ID of a session with its submission, %s, ends the wait or not', (_, beside, certain) => {
	const ids = listIds({ ...beside, audienceSessionId: 'audsession_2' });
	const match = findSessions(sessions, ids);
	expect(match?.sessions).toEqual([sessions[1]]);
	expect(match && isCertain(match, ids)).toBe(certain);
});

test('takes the newest of several sessions, unless they have the submission or started at once', () => {
	const at = (n: number, sessionStartedAt: string | null, more: IDataObject = {}) =>
		session(n, { analyticsSessionId: 'analytics_shared', sessionStartedAt, ...more });
	const list = [
		at(1, '2026-03-01T10:00:00+02:00'),
		at(2, '2026-03-01T09:00:00Z'),
		at(3, '2026-03-01T09:30:00+01:00'),
		at(4, null),
	];
	expect(find('analytics_shared', list)).toEqual(['audsession_2']);
	expect(find(['audsession_1', 'audsession_3'], list)).toEqual(['audsession_3']);
	expect(find('analytics_shared', [...list, at(5, '2026-03-01T09:00:00.000Z')])).toEqual([
		'audsession_2',
		'audsession_5',
	]);
	moveToTokyo();
	expect(find('analytics_shared', [...list, at(6, '2026-03-01T09:00:01')])).toEqual([
		'audsession_6',
	]);
	jest.restoreAllMocks();
	expect(find('analytics_shared', [at(4, null), at(6, 'soon')])).toHaveLength(2);
	const both = [1, 2].map((n) => at(n, `2026-03-0${n}`, { formSubmissionId: 'submission_shared' }));
	expect(find('submission_shared', both)).toEqual(['audsession_1', 'audsession_2']);
});

test('lets the form submission decide, then the session, then the visit', () => {
	const shared = [1, 2, 3].map((n) => session(n, { analyticsSessionId: 'analytics_shared' }));
	const visit = { visit: 'analytics_shared' };
	expect(find({ ...visit, session: 'audsession_3', form: 'submission_1' }, shared)).toEqual([
		'audsession_1',
	]);
	expect(find({ ...visit, session: 'audsession_3' }, shared)).toEqual(['audsession_3']);
	expect(find(visit, shared)).toEqual(['audsession_1', 'audsession_2', 'audsession_3']);
});

test('counts a session once that a list shows twice', () => {
	expect(find('submission_2', [...sessions, session(2)])).toEqual(['audsession_2']);
});

test('finds IDs in an item that is nested deeper than the stack', () => {
	let item: unknown = 'submission_2';
	for (let depth = 0; depth < 200_000; depth++) item = depth % 2 ? [item] : { item };
	expect(find(item)).toEqual(['audsession_2']);
});

test('reads a long list under a long name in time that grows with the item', () => {
	expectLinear((length) => {
		const item = { ['id'.repeat(length)]: Array(length).fill('submission_2') };
		return () => listIds(item);
	}, 2_000);
});

/** Around the length of an ID, and around the largest exact number. */
const anyNumber = fc.oneof(
	fc.integer({ min: 1_111_111, max: 1_111_113 }),
	fc.integer({ min: 11_111_111, max: 11_111_113 }),
	fc.integer({ min: -2, max: 2 }).map((n) => 2 ** 53 + n),
	fc.constantFrom(1e21, -11_111_111, 11_111_111.5, NaN, Infinity),
);
const id = fc.oneof(
	fc.string({ unit: fc.constantFrom('a', 'b', '1'), minLength: 6, maxLength: 9 }),
	anyNumber,
	anyNumber.map(String),
	fc.constant(null),
);
const anySession = fc
	.record({ audienceSessionId: id, formSubmissionId: id, analyticsSessionId: id })
	.map((ids): IDataObject => ids);

/** Said another way than in the code: the text of an ID, "" for what is none. */
const textOf = (value: unknown): string =>
	typeof value === 'string' || (Number.isSafeInteger(value) && Number(value) >= 0)
		? String(value)
		: '';

test('finds the sessions that share an ID of eight characters or more, whether text or exact number', () => {
	const outcomes = { found: 0, none: 0 };
	fc.assert(
		fc.property(fc.array(anySession, { maxLength: 20 }), fc.array(id), (all, item) => {
			const mentioned = all.filter((each) =>
				identifyingFields.some((field) =>
					item.some(
						(one) => textOf(one).length >= leastLength && textOf(one) === textOf(each[field]),
					),
				),
			);
			const ids = listIds(item);
			const found = findSessions(all, ids);
			expect(findSessions(mentioned, ids)).toEqual(found);
			expect(found !== undefined).toBe(mentioned.length > 0);
			expect(mentioned).toEqual(expect.arrayContaining(found?.sessions ?? []));
			outcomes[found ? 'found' : 'none']++;
		}),
		generated(1_000),
	);
	expect(Math.min(outcomes.found, outcomes.none)).toBeGreaterThan(50);
});
