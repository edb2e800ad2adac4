import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	findSessions,
	identifyingFields,
	leastLength,
	listTexts,
} from '../../../nodes/PageAudience/resources/audienceSession/matching.ts';
import { generated } from '../../generated.mts';

const session = (n: number, more: IDataObject = {}): IDataObject => ({
	audienceSessionId: `audsession_${n}`,
	analyticsSessionId: `analytics_${n}`,
	formSubmissionId: `submission_${n}`,
	formSubmissionEmail: 'ada@example.com',
	...more,
});
const sessions = [session(1), session(2), session(3)];
const find = (item: unknown, list = sessions) =>
	findSessions(list, listTexts(item)).map(({ audienceSessionId }) => audienceSessionId);

test.each<[what: string, item: unknown]>([
	['at the top', { formSubmissionId: 'submission_2' }],
	['under any name', { id: 'submission_2' }],
	['deep inside', { data: [{ event: { object: ['form', 'submission_2'] } }] }],
	['with spaces around it', { id: ' submission_2\n' }],
	['beside others', { a: 'submission_unknown', b: 'submission_2', c: 17, d: null, e: true }],
	['as a text', 'submission_2'],
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
			const texts = listTexts(item);
			const found = findSessions(all, texts);
			expect(findSessions(mentioned, texts)).toEqual(found);
			expect(found.length > 0).toBe(mentioned.length > 0);
			expect(mentioned).toEqual(expect.arrayContaining(found));
			outcomes[found.length > 0 ? 'found' : 'none']++;
		}),
		generated(1_000),
	);
	expect(Math.min(outcomes.found, outcomes.none)).toBeGreaterThan(50);
});
