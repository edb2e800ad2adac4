import {
	type ChosenFields,
	compare,
	hashIdentity,
	type KnownRecords,
	makeFingerprint,
	noRecords,
	openRecords,
	type Records,
} from '../../../nodes/PageAudiencePollingTrigger/known.ts';

const names = ['name', 'email', 'slug'];
const none = (fields: ChosenFields) => noRecords(fields, 0);
const person = (values: object) => ({
	name: 'Ada',
	email: 'ada@a.example',
	slug: 'ada',
	...values,
});

/** Records by their names, each with this fingerprint. */
const listed = (ids: unknown[], fingerprint = ''): Records =>
	new Map(ids.map((id) => [hashIdentity(id), fingerprint]));

describe('known records', () => {
	it('are forgotten once they were not listed for a generation and the rest of another', () => {
		const list = (stored: ReturnType<KnownRecords['add']>, at: number, ...ids: string[]) =>
			openRecords(stored, undefined).add(listed(ids), at, 10);
		const isKnown = (stored: ReturnType<KnownRecords['add']>, id: string) =>
			openRecords(stored, undefined).find(hashIdentity(id)) !== undefined;
		let stored = list(none(undefined), 0, 'old', 'young');
		for (const at of [5, 9, 10, 15, 19]) {
			stored = list(stored, at, 'young');
			expect([at, isKnown(stored, 'old')]).toEqual([at, true]);
		}
		// Listed once more in time, another one stays for as long again.
		stored = list(stored, 20, 'young', 'again');
		expect(['old', 'young', 'again'].map((id) => isKnown(stored, id))).toEqual([false, true, true]);
		stored = list(stored, 30, 'young');
		expect(isKnown(stored, 'again')).toBe(true);
		expect(isKnown(list(stored, 40, 'young'), 'again')).toBe(false);
	});

	it.each([
		['without fingerprints', undefined, 8],
		['with fingerprints', [], 12],
		['with those of three fields', names, 24],
	])('take 8 bytes, and 4 for each part (%s)', (_, fields, bytes) => {
		const fingerprint = fields ? makeFingerprint(person({}), fields) : '';
		const ids = Array.from({ length: 1_000 }, (_record, number) => number);
		const stored = openRecords(none(fields), fields).add(listed(ids, fingerprint), 0);
		expect(JSON.stringify(stored).length).toBeLessThan(bytes * 1_000 + 100);
	});
});

describe('a change', () => {
	const review = (before: object, now: object, fields: string[]) =>
		compare(makeFingerprint(person(before), fields), makeFingerprint(person(now), fields), fields);

	it.each([
		[{}, { slug: 'a' }, [], { isChanged: true }],
		[{}, {}, [], { isChanged: false }],
		[{}, { slug: 'a' }, ['name'], { isChanged: false, changedFields: [] }],
		[{}, { slug: 'a', name: 'A' }, ['email', 'name'], { isChanged: true, changedFields: ['name'] }],
		[{}, { email: '', name: 'A' }, names, { isChanged: true, changedFields: ['name', 'email'] }],
		[{ tags: [1, 2] }, { tags: [2, 1] }, ['tags'], { isChanged: true, changedFields: ['tags'] }],
		[{ a: null }, { b: 1 }, ['a'], { isChanged: false, changedFields: [] }],
		[{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, ['a'], { isChanged: false }],
	])('from %j to %j, with the fields %j', (before, now, fields, expected) => {
		expect(review(before, now, fields)).toEqual(expected);
	});

	it.each([
		[[], ['name']],
		[['name', 'slug'], []],
		[['slug'], ['name', 'email']],
		[['name', 'email'], ['email']],
	])(
		'is seen after the choice of fields went from %j to %j, but not in which of them',
		(then, now) => {
			const stored = openRecords(none(then), then).add(
				listed([1, 2], makeFingerprint(person({}), then)),
				0,
			);
			const known = openRecords(stored, now);
			const before = known.find(hashIdentity(1)) ?? '';
			expect(compare(before, makeFingerprint(person({}), now), now)).toEqual({ isChanged: false });
			const changed = makeFingerprint(person({ name: 'A' }), now);
			expect(compare(before, changed, now)).toEqual({ isChanged: true });
			// From the first reading on, the fields of those that it listed are known.
			const later = openRecords(known.add(listed([1], changed), 0), now);
			expect(later.find(hashIdentity(1))).toBe(changed);
			expect(later.find(hashIdentity(2))).toBe(before);
		},
	);
});
