import fc from 'fast-check';
import {
	type Content,
	findChangedFields,
	isSameContent,
	partLength,
	writeContent,
} from '../../../nodes/PageAudiencePollingTrigger/state/content.ts';
import {
	advance,
	beginReading,
	type History,
	type Reading,
	type Rules,
	noHistory,
	sortOut,
} from '../../../nodes/PageAudiencePollingTrigger/state/history.ts';
import {
	addContent,
	type Known,
	readKnown,
	writeKnown,
} from '../../../nodes/PageAudiencePollingTrigger/state/known.ts';
import {
	hashKey,
	type Sighting,
} from '../../../nodes/PageAudiencePollingTrigger/state/sighting.ts';
import {
	findStored,
	readHistory,
	readState,
	storeStates,
	writeState,
} from '../../../nodes/PageAudiencePollingTrigger/state/stored.ts';
import { generated } from '../../generated.mts';

const hourMs = 3_600_000;
const now = Date.parse('2026-03-01T12:00:00Z');
const megabyte = 1_000_000;

/** Fields that may be chosen, and the values of a record in them. */
const names = ['name', 'email', 'slug', 'domain'];
const record = fc.record(
	Object.fromEntries(names.map((name) => [name, fc.constantFrom('a', 'b', 'c')])),
);
const choice = fc.uniqueArray(fc.constantFrom(...names));

const contentOf = (values: Record<string, string>, fields: string[]): Content =>
	writeContent(
		JSON.stringify(values),
		fields.map((field) => values[field]),
	);

const key = fc.oneof(fc.integer({ min: 0, max: 2 ** 44 - 1 }), fc.integer({ min: 0, max: 3 }));

const toKnown = (entries: Array<[number, Content]>): Known => {
	const known: Known = new Map();
	for (const [each, content] of entries) addContent(known, each, content);
	return known;
};

/** As through n8n's database. */
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('known records', () => {
	it('come back as they were written without contents', () => {
		fc.assert(
			fc.property(fc.array(key), (keys) => {
				const known = toKnown(keys.map((each) => [each, '']));
				expect(new Map(readKnown(writeKnown(known)))).toEqual(known);
				expect(writeKnown(known).fieldContents).toBeUndefined();
			}),
			generated(100),
		);
	});

	it('come back as they were written with contents, of all fields or some', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(key, record)), choice, (entries, fields) => {
				const known = toKnown(entries.map(([each, of]) => [each, contentOf(of, fields)]));
				const written = writeKnown(known);
				expect(new Map(readKnown(written, fields, fields))).toEqual(known);
				// What earlier versions write, and read of it.
				const whole = toKnown(entries.map(([each, of]) => [each, contentOf(of, [])]));
				expect(written.known).toBe(writeKnown(whole).known);
			}),
			generated(100),
		);
	});

	it('have what was stored of other fields, after another choice', () => {
		fc.assert(
			fc.property(record, record, choice, choice, (before, after, then, chosen) => {
				const written = writeKnown(toKnown([[7, contentOf(before, then)]]));
				const [content] = readKnown(written, then, chosen).get(7) ?? [];
				const current = contentOf(after, chosen);
				const changed = names.filter((name) => before[name] !== after[name]);
				const isStored = chosen.every((name) => then.includes(name));
				const counts =
					chosen.length === 0 || !isStored
						? changed
						: changed.filter((name) => chosen.includes(name));
				const mayCount = isStored || chosen.some((name) => !then.includes(name));
				expect(mayCount).toBe(true);
				expect(isSameContent(current, content)).toBe(counts.length === 0);
				expect(findChangedFields(current, content, chosen)).toEqual(
					isStored ? chosen.filter((name) => changed.includes(name)) : undefined,
				);
			}),
			generated(300),
		);
	});

	it('have unknown fields where the text of the fields is cut off', () => {
		const known = toKnown([1, 2, 3].map((each) => [each, contentOf({ name: 'a' }, ['name'])]));
		const { fieldContents = '', ...written } = writeKnown(known);
		const cut = readKnown(
			{ ...written, fieldContents: fieldContents.slice(0, -2) },
			['name'],
			['name'],
		);
		const changed = contentOf({ name: 'b' }, ['name']);
		expect([...cut.values()].map(([each]) => findChangedFields(changed, each, ['name']))).toEqual([
			['name'],
			['name'],
			undefined,
		]);
	});

	it('are read in the form of earlier versions', () => {
		// As in test/fixtures: a byte that says whether there are contents, distances as varints, and three bytes each.
		const bytes = [1, 5, 1, 2, 3, 0x80, 1, 4, 5, 6, 0, 7, 8, 9];
		const known = Buffer.from(bytes).toString('base64');
		expect([...readKnown({ known })]).toEqual([
			[5, [Buffer.from([1, 2, 3]).toString('base64')]],
			[133, [4, 7].map((first) => Buffer.from([first, first + 1, first + 2]).toString('base64'))],
		]);
		expect(() => readKnown({ known: Buffer.from(bytes.slice(0, 4)).toString('base64') })).toThrow(
			RangeError,
		);
	});
});

describe('the states of several lists', () => {
	const scopes = ['a', 'b', 'c', 'd'];
	const step = fc.record({
		lists: fc.uniqueArray(fc.constantFrom(...scopes), { minLength: 1 }),
		read: fc.subarray(scopes),
	});

	it('stay with their lists, whatever their order, until a list is not read any more', () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
				let data: Record<string, never> = {};
				let expected = new Map<string, number>();
				for (const [n, { lists, read }] of steps.entries()) {
					const states = lists.map((scope) => {
						const stored = findStored(data, scope);
						expect([scope, stored?.writtenAt]).toEqual([scope, expected.get(scope)]);
						return read.includes(scope) ? writeState({ scope }, noHistory, n + 1) : stored;
					});
					storeStates(data, states);
					data = copy(data) as Record<string, never>;
					const kept = states.flatMap((state) =>
						state ? [[state.scope, state.writtenAt] as const] : [],
					);
					// Nothing takes the place of the first list's state where that list has none.
					const first = states[0] ? [] : [...expected].filter(([scope]) => isFirst(data, scope));
					expected = new Map([...first, ...kept]);
					if (states[0]) expect(readState(data.state, lists[0])).toBeDefined();
				}
			}),
			generated(200),
		);
	});

	const isFirst = (data: { state?: unknown }, scope: string) =>
		readState(data.state, scope) !== undefined;

	it('are not touched if nothing has changed', () => {
		const states = ['a', 'b'].map((scope) => writeState({ scope }, noHistory, now));
		const data: Record<string, unknown> = {};
		storeStates(data as never, states);
		const written = Object.freeze({ ...data });
		expect(() => storeStates(written as never, states)).not.toThrow();
	});

	it('replace those of the other lists where one of them changed', () => {
		const [a, b, c] = ['a', 'b', 'c'].map((scope) => writeState({ scope }, noHistory, now));
		for (const changed of ['b', 'c']) {
			const data = {};
			storeStates(data, [a, b, c]);
			const later = writeState({ scope: changed }, noHistory, now + 1);
			storeStates(
				data,
				[a, b, c].map((state) => (state.scope === changed ? later : state)),
			);
			expect(findStored(data, changed)).toEqual(later);
		}
	});

	it('are the latest of a list where n8n has several', () => {
		const [first, second, third] = [1, 2, 3].map((at) => writeState({ scope: 'a' }, noHistory, at));
		expect(findStored({ state: second, more: [first, third] }, 'a')).toEqual(third);
		expect(findStored({ state: first, more: [third, second] }, 'a')).toEqual(third);
		expect(findStored({ state: third, more: [first] }, 'b')).toBeUndefined();
	});

	it('is one alone in the form of earlier versions', () => {
		const data = {};
		const state = writeState({ scope: 'a', key: 'k' }, noHistory, now);
		storeStates(data, [state]);
		expect(data).toEqual({ state });
	});
});

test.each([
	['newPerson', 0, []],
	['changedPerson', 1, []],
	['changedPerson', 1, ['email']],
	['changedPerson', 1, ['email', 'name', 'phoneNumber']],
])('100,000 records take a megabyte of state at most (%s, %d, %j)', (_, contents, fields) => {
	const seen: Known = new Map(
		Array.from({ length: 100_000 }, (_record, number) => {
			const content = writeContent(
				`content of ${number}`,
				fields.map((field) => `${field} of ${number}`),
			);
			return [hashKey(`prospect_${number}`), [contents ? content : '']];
		}),
	);
	const rules: Rules = { start: { from: 'now' }, fields };
	const history = advance(noHistory, beginReading(noHistory, rules, now), seen, rules);
	const text = JSON.stringify(writeState({ scope: 'scope', fields }, history, now));
	const most = contents ? megabyte : 0.6 * megabyte;
	expect(text.length).toBeLessThan(most + fields.length * 100_000 * partLength);
	const state = readState(JSON.parse(text), 'scope');
	expect(state && readHistory(state, fields)).toEqual(history);
	expect(history.generations[0].known.size).toBe(100_000);
});

test('a reading that goes on keeps the contents of the fields and the newest date that it has seen', () => {
	const fields = ['name', 'email'];
	const seen = toKnown([[1, contentOf({ name: 'a', email: 'b' }, fields)]]);
	const newest = now - hourMs;
	const reading: Reading = {
		startedAt: now,
		from: null,
		position: 'next',
		limit: 10,
		seen,
		newest,
	};
	const state = writeState({ scope: 'a', fields }, { generations: [], open: reading }, now);
	const read = readHistory(readState(copy(state), 'a'), fields);
	expect(read.open).toMatchObject({ seen, position: 'next', limit: 10, newest });
});

describe('what follows from a reading', () => {
	const lookBackMs = 8 * hourMs;
	const rules: Rules = { start: { from: 'now' }, lookBackMs, fields: [] };
	const see = (...names: string[]): Sighting[] =>
		names.map((name) => ({ key: hashKey(name), content: '', record: name }));

	function read(history: History, at: number, names: string[] | Sighting[], used = rules) {
		const reading = beginReading(history, used, at);
		const sightings = names.map((each) => (typeof each === 'string' ? see(each) : [each])).flat();
		const { fresh, seen } = sortOut(history, reading, sightings, used, new Map(), at);
		return {
			from: reading.from,
			fresh: fresh.map(({ record }) => record),
			history: advance(
				history,
				reading,
				toKnown(seen.map(({ key: hash, content }) => [hash, content])),
				used,
			),
		};
	}

	it('changes nothing that it was given', () => {
		const first = read(noHistory, now, ['a', 'b']);
		const before = structuredClone(first.history);
		read(first.history, now + 9 * hourMs, ['b', 'c']);
		expect(first.history).toEqual(before);
	});

	it('counts a record that gets its ID, and is then shown twice, as the one from before', () => {
		const nameless = { key: hashKey('nameless'), content: 'x' };
		const { history, fresh } = read(noHistory, now, [{ ...nameless, record: 'without' }]);
		expect(fresh).toEqual([]);
		const named: Sighting = {
			key: hashKey('named'),
			content: 'x',
			record: 'with',
			withoutId: nameless,
		};
		expect(read(history, now + hourMs, [named, { ...named }]).fresh).toEqual([]);
	});

	it('keeps what it knows for a look-back after a reading last returned it', () => {
		let { history } = read(noHistory, now, ['old']);
		for (let hour = 1; hour < 8; hour++)
			({ history } = read(history, now + hour * hourMs, ['young']));
		expect(read(history, now + 8 * hourMs, ['old']).fresh).toEqual([]);
		for (let hour = 8; hour < 40; hour++)
			({ history } = read(history, now + hour * hourMs, ['young']));
		const known = history.generations.flatMap((each) => [...each.known.keys()]);
		expect(known).toEqual([hashKey('young')]);
	});

	it('begins a week ago after a week without n8n, and forgets nothing before', () => {
		const { history } = read(noHistory, now, ['a']);
		const later = read(history, now + 7 * 24 * hourMs, ['a', 'b']);
		expect(later.from).toBe(now - lookBackMs);
		expect(later.fresh).toEqual(['b']);
	});

	it('never begins before what is known when the look-back grows', () => {
		let { history } = read(noHistory, now, []);
		const longer = { ...rules, lookBackMs: 1_000 * hourMs };
		expect(read(history, now + hourMs, [], longer).from).toBe(now - lookBackMs);
		for (let hour = 0; hour < 100; hour++) {
			({ history } = read(history, now + hour * hourMs, []));
			const { from } = read(history, now + hour * hourMs, [], longer);
			expect(from).toBeLessThanOrEqual(now + hour * hourMs - lookBackMs);
			expect(from).toBeGreaterThanOrEqual(now + hour * hourMs - 3 * lookBackMs);
		}
	});

	it('notes what it finds before everything known when the clock was set back', () => {
		const { history } = read(noHistory, now + 20 * hourMs, []);
		const at = now - 1;
		const dated = (...names: string[]) => see(...names).map((each) => ({ ...each, at }));
		const back = read(history, now, dated('existing'));
		expect([back.from, back.fresh]).toEqual([now - lookBackMs, []]);
		expect(read(back.history, now + 1, dated('existing', 'late')).fresh).toEqual(['late']);
	});

	it('stays the same object if there is nothing to remember', () => {
		const whole: Rules = { start: { from: 'now' }, fields: [] };
		const { history } = read(noHistory, now, ['a'], whole);
		expect(read(history, now + 1, ['a'], whole).history).toBe(history);
		expect(read(history, now + 1, ['a', 'b'], whole).history).not.toBe(history);
	});

	it('leaves to the next reading what appears during the snapshot', () => {
		const reading = beginReading(noHistory, rules, now);
		const sightings = [
			{ key: 1, content: '', at: now - 1, record: 'before' },
			{ key: 2, content: '', at: now + 1, record: 'meanwhile' },
			{ key: 3, content: '', at: now + hourMs, record: 'dated ahead' },
			{ key: 4, content: '', record: 'without a date' },
		];
		const { fresh, seen } = sortOut(noHistory, reading, sightings, rules, new Map(), now + 10);
		expect(fresh).toEqual([]);
		expect(seen.map(({ record }) => record)).toEqual(['before', 'dated ahead', 'without a date']);
	});

	describe('with chosen fields', () => {
		const fields = ['name', 'email'];
		const chosen: Rules = { start: { from: 'now' }, tellsChanges: true, fields };
		const person = (values: Record<string, string>, used = fields): Sighting => ({
			key: 1,
			content: contentOf(values, used),
			record: values,
		});
		const ada = { name: 'Ada', email: 'ada@a.example', slug: 'ada' };

		function readChanges(history: History, at: number, sightings: Sighting[], used = chosen) {
			const reading = beginReading(history, used, at);
			const { fresh, seen } = sortOut(history, reading, sightings, used, new Map(), at);
			const known = toKnown(seen.map((each) => [each.key, each.content]));
			return {
				changes: fresh.map(({ changedFields }) => changedFields),
				history: advance(history, reading, known, used),
			};
		}

		it('names the fields that differ, and none of a new record', () => {
			const { history } = readChanges(noHistory, now, []);
			const first = readChanges(history, now + 1, [person(ada)]);
			expect(first.changes).toEqual([null]);
			const other = readChanges(first.history, now + 2, [person({ ...ada, slug: 'a' })]);
			expect(other.changes).toEqual([]);
			const renamed = { ...ada, slug: 'a', name: 'Ada L.' };
			const third = readChanges(other.history, now + 3, [person(renamed)]);
			expect(third.changes).toEqual([['name']]);
			expect(readChanges(third.history, now + 4, [person(ada)]).changes).toEqual([['name']]);
		});

		it('names none where several records have the ID', () => {
			const twin = { ...ada, email: 'other@a.example' };
			const { history } = readChanges(noHistory, now, [person(ada), person(twin)]);
			const changed = readChanges(history, now + 1, [person({ ...ada, name: 'A' }), person(twin)]);
			expect(changed.changes).toEqual([undefined]);
		});

		it('counts nothing only because the choice is another one', () => {
			const all: Rules = { ...chosen, fields: [] };
			const { history } = readChanges(noHistory, now, [person(ada, [])], all);
			const state = writeState({ scope: 'a' }, history, now);
			const known = readHistory(readState(copy(state), 'a'), fields);
			const same = readChanges(known, now + 1, [person(ada)]);
			expect(same.changes).toEqual([]);
			expect(readChanges(known, now + 1, [person({ ...ada, name: 'A' })]).changes).toEqual([
				undefined,
			]);
			// From the first reading on, all of them are known.
			expect(readChanges(same.history, now + 2, [person({ ...ada, name: 'A' })]).changes).toEqual([
				['name'],
			]);
		});
	});
});
