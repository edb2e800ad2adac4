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

test('ignores IDs that are no text', () => {
	const odd = [session(1, { formSubmissionId: null, analyticsSessionId: 12345678 })];
	expect(find({ a: null, b: 12345678, c: 'null', d: '12345678' }, odd)).toEqual([]);
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

const id = fc.oneof(
	fc.string({ unit: fc.constantFrom('a', 'b', '1'), minLength: 6, maxLength: 9 }),
	fc.constant(null),
);
const anySession = fc
	.record({ audienceSessionId: id, formSubmissionId: id, analyticsSessionId: id })
	.map((ids): IDataObject => ids);

test('finds the same among the sessions that an item mentions as among all', () => {
	fc.assert(
		fc.property(fc.array(anySession, { maxLength: 20 }), fc.array(id), (all, item) => {
			const texts = listTexts(item);
			const mentioned = all.filter((each) =>
				identifyingFields.some((field) => texts.has(String(each[field]))),
			);
			const found = findSessions(all, texts);
			expect(findSessions(mentioned, texts)).toEqual(found);
			expect(found.length > 0).toBe(mentioned.length > 0);
			for (const each of found) {
				const ids = Object.values(each).filter((value) => item.includes(String(value)));
				expect(ids.some((value) => String(value).length >= leastLength)).toBe(true);
			}
		}),
		generated(1_000),
	);
});
