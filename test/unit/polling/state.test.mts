import fc from 'fast-check';
import {
	advance,
	beginReading,
	type History,
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
	hashContentNumber,
	hashKey,
	type Sighting,
} from '../../../nodes/PageAudiencePollingTrigger/state/sighting.ts';
import {
	readHistory,
	readState,
	writeState,
} from '../../../nodes/PageAudiencePollingTrigger/state/stored.ts';
import { generated } from '../../generated.mts';

const hourMs = 3_600_000;
const now = Date.parse('2026-03-01T12:00:00Z');
const megabyte = 1_000_000;

const key = fc.integer({ min: 0, max: 2 ** 44 - 1 });

test.each([
	['without contents', fc.constant(0)],
	['with contents', fc.integer({ min: 1, max: 2 ** 24 - 1 })],
])('known records come back as they were written %s', (_, content) => {
	const keys = fc.oneof(key, fc.integer({ min: 0, max: 3 }));
	fc.assert(
		fc.property(fc.array(fc.tuple(keys, content)), (entries) => {
			const known: Known = new Map();
			for (const [each, of] of entries) addContent(known, each, of);
			expect(new Map(readKnown(writeKnown(known)))).toEqual(known);
		}),
		generated(100),
	);
});

test.each([
	['newPerson', 0],
	['changedPerson', 1],
])('100,000 records take less than a megabyte of state (%s)', (_, contents) => {
	const seen: Known = new Map(
		Array.from({ length: 100_000 }, (_record, number) => [
			hashKey(`prospect_${number}`),
			[contents * hashContentNumber(`content of ${number}`)],
		]),
	);
	const rules: Rules = { start: { from: 'now' } };
	const history = advance(noHistory, beginReading(noHistory, rules, now), seen, rules);
	const text = JSON.stringify(writeState('scope', history, now));
	expect(text.length).toBeLessThan(megabyte);
	const state = readState(JSON.parse(text), 'scope');
	expect(state && readHistory(state)).toEqual(history);
	expect(history.generations[0].known.size).toBe(100_000);
});

describe('what follows from a reading', () => {
	const lookBackMs = 8 * hourMs;
	const rules: Rules = { start: { from: 'now' }, lookBackMs };
	const see = (...names: string[]): Sighting[] =>
		names.map((name) => ({ key: hashKey(name), content: 0, record: name }));

	const toKnown = (seen: Sighting[]): Known =>
		new Map(seen.map(({ key: hash, content }) => [hash, [content]]));

	function read(history: History, at: number, names: string[] | Sighting[], used = rules) {
		const reading = beginReading(history, used, at);
		const sightings = names.map((each) => (typeof each === 'string' ? see(each) : [each])).flat();
		const { fresh, seen } = sortOut(history, reading, sightings, used, new Map(), at);
		return {
			from: reading.from,
			fresh: fresh.map(({ record }) => record),
			history: advance(history, reading, toKnown(seen), used),
		};
	}

	it('changes nothing that it was given', () => {
		const first = read(noHistory, now, ['a', 'b']);
		const before = structuredClone(first.history);
		read(first.history, now + 9 * hourMs, ['b', 'c']);
		expect(first.history).toEqual(before);
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
		const whole: Rules = { start: { from: 'now' } };
		const { history } = read(noHistory, now, ['a'], whole);
		expect(read(history, now + 1, ['a'], whole).history).toBe(history);
		expect(read(history, now + 1, ['a', 'b'], whole).history).not.toBe(history);
	});

	it('leaves to the next reading what appears during the snapshot', () => {
		const reading = beginReading(noHistory, rules, now);
		const sightings = [
			{ key: 1, content: 0, at: now - 1, record: 'before' },
			{ key: 2, content: 0, at: now + 1, record: 'meanwhile' },
			{ key: 3, content: 0, at: now + hourMs, record: 'dated ahead' },
			{ key: 4, content: 0, record: 'without a date' },
		];
		const { fresh, seen } = sortOut(noHistory, reading, sightings, rules, new Map(), now + 10);
		expect(fresh).toEqual([]);
		expect(seen.map(({ record }) => record)).toEqual(['before', 'dated ahead', 'without a date']);
	});
});
