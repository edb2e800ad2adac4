import fc from 'fast-check';
import {
	type IdentityField,
	identityFields,
	identify,
} from '../../../nodes/PageAudience/resources/contactFields.ts';
import type { Person } from '../../../sandbox/index.mts';
import { generated, withinMs } from '../../generated.mts';
import type { RunResult } from '../engine.mts';
import { runOffline } from '../offline.mts';
import { anyFault, meet, type Script, scriptOf } from './faults.mts';
import { others, People, type PeopleStyle, search, spellings } from './people.mts';

/** One run of the node in an execution that may be killed, after so many requests. */
interface Attempt {
	script: Script;
	killedAfter?: number;
	/** Whether the service does the work of the last request before the kill. */
	lastIsDone: boolean;
}

interface Spelled {
	value: number;
	spelling: number;
}

interface Scenario {
	field: IdentityField;
	/** With "search", the search is trusted. */
	lookup: 'auto' | 'list';
	style: PeopleStyle;
	others: Array<Partial<Person>>;
	/** Values that somebody has at the start, in which spelling. */
	known: Spelled[];
	/** Whether the last of them has just changed, so that a search misses the change. */
	lastIsNew: boolean;
	items: Spelled[];
	onError: 'stopWorkflow' | 'continueErrorOutput' | 'continueRegularOutput';
	tries: number;
	maxRetries: number;
	concurrency: number;
	attempts: Attempt[];
	/** Each evaluation of the expression yields another value. */
	changes?: boolean;
}

const spelled: fc.Arbitrary<Spelled> = fc.record({
	value: fc.integer({ min: 0, max: 3 }),
	spelling: fc.integer({ min: 0, max: 4 }),
});

const spell = (field: IdentityField, { value, spelling }: Spelled) => {
	const all = spellings[field](value);
	return all[spelling % all.length];
};

const style: fc.Arbitrary<PeopleStyle> = fc.record({
	search: fc.option(search, { nil: undefined, freq: 20 }),
	lagMs: fc.constantFrom(0, 3_000, 3_600_000),
	maximum: fc.constantFrom(2, 100, 1_000),
	existing: fc.constantFrom(
		'duplicate' as const,
		'duplicate' as const,
		'conflict' as const,
		'returned' as const,
		'returnedAsCreated' as const,
	),
	totalCount: fc.constantFrom('counted' as const, 'null' as const),
});

const scenarios: fc.Arbitrary<Scenario> = fc.record({
	field: fc.constantFrom(...identityFields),
	lookup: fc.constantFrom('auto' as const, 'auto' as const, 'list' as const),
	style,
	others: fc.shuffledSubarray([...others]),
	known: fc.array(spelled, { maxLength: 3 }),
	lastIsNew: fc.boolean(),
	items: fc.array(spelled, { minLength: 1, maxLength: 5 }),
	onError: fc.constantFrom(
		'stopWorkflow' as const,
		'continueErrorOutput' as const,
		'continueRegularOutput' as const,
	),
	tries: fc.constantFrom(1, 2, 3),
	maxRetries: fc.constantFrom(0, 1, 3),
	concurrency: fc.constantFrom(1, 3, 10),
	attempts: fc.array(
		fc.record({
			script: scriptOf(anyFault),
			killedAfter: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
			lastIsDone: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 3 },
	),
});

/** For as long as a run takes. */
const inFuture = '2100-01-01T00:00:00.000Z';

async function runOnce(
	scenario: Scenario,
	people: People,
	{ script, killedAfter, lastIsDone }: Attempt,
	isRetry: boolean,
): Promise<{ result: RunResult; requests: string[] }> {
	const { field, lookup, items, onError, tries, maxRetries, concurrency, changes } = scenario;
	const killer = new AbortController();
	const { exchanges, ...result } = await runOffline({
		answer: async (request, number) => {
			const work = async () => await Promise.resolve(people.answer(request));
			if (killedAfter !== undefined && number >= killedAfter) {
				if (number === killedAfter && lastIsDone) await work();
				killer.abort();
				return { lost: 'ECONNRESET', message: 'killed' };
			}
			const fault = script[number];
			return fault ? await meet(fault, request, work) : await work();
		},
		parameters: {
			resource: 'person',
			operation: 'createOrGet',
			matchOn: field,
			[field]: changes ? '={{ Math.random() + $json.value.trim() }}' : '={{ $json.value }}',
			name: '={{ $json.name }}',
			options: { lookup, maxRetries, concurrency },
		},
		items: items.map((item, index) => ({ value: spell(field, item), name: `Item ${index}` })),
		onError,
		signal: killer.signal,
		settings: tries > 1 ? { retryOnFail: true, maxTries: tries, waitBetweenTries: 1000 } : {},
		handOver: (context) => {
			if (isRetry) context.getMode = () => 'retry';
		},
	});
	const requests = exchanges.map(({ request }) => `${request.method} ${request.path}`);
	return { result, requests };
}

/** The records of each output item that is no error: nobody is found or created without an ID. */
function listRecords({ output }: RunResult) {
	const records = output.filter(({ json }) => json.error === undefined);
	for (const { json } of records) expect(json.personId).toMatch(/^prospect_/);
	return records;
}

async function judge(scenario: Scenario): Promise<void> {
	const { field, known, items } = scenario;
	const people = new People(scenario.style);
	for (const person of scenario.others) people.add(person);
	for (const [index, value] of known.entries()) {
		const isNew = scenario.lastIsNew && index === known.length - 1;
		people.add({ [field]: spell(field, value), ...(isNew && { updatedAt: inFuture }) });
	}
	const countOf = (value: number) => people.find(field, spellings[field](value)[0]).length;
	const atStart = [0, 1, 2, 3].map(countOf);

	for (const [number, attempt] of scenario.attempts.entries()) {
		const { result, requests } = await runOnce(scenario, people, attempt, number > 0);
		for (const [value, before] of atStart.entries())
			expect({ value, count: Math.min(countOf(value), Math.max(before, 1)) }).toEqual({
				value,
				count: countOf(value),
			});
		const hasSearched = requests.includes('GET /v0/persons/search');
		for (const { json, pairedItem } of listRecords(result)) {
			const item =
				typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
			const { value } = items[item];
			expect(identify(field, String(json[field]))).toBe(
				identify(field, spellings[field](value)[0]),
			);
			// A search may find only one of two.
			if (!hasSearched) expect(atStart[value]).toBeLessThan(2);
		}
	}
	const calm: Scenario = { ...scenario, lookup: 'auto', onError: 'continueRegularOutput' };
	const { result } = await runOnce(calm, people, { script: [], lastIsDone: false }, true);
	const clear = items.filter(({ value }) => atStart[value] < 2);
	expect(listRecords(result).length).toBeGreaterThanOrEqual(clear.length);
	for (const { value } of items) expect(countOf(value)).toBe(Math.max(1, atStart[value]));
}

const settings = generated(150, 0.05);
test(
	'creates nobody twice and finds everybody, whatever fails and whenever it is killed',
	async () => {
		const property = fc.asyncProperty(scenarios, judge);
		await fc.assert(property, settings);
	},
	withinMs(settings),
);

test(
	'creates at most one person for an item whose value changes with each evaluation',
	async () => {
		const property = fc.asyncProperty(scenarios, async (scenario) => {
			const people = new People(scenario.style);
			const changing: Scenario = { ...scenario, field: 'email', changes: true };
			const { result } = await runOnce(changing, people, scenario.attempts[0], false);
			const names = scenario.items.map((_, item) => `Item ${item}`);
			const counts = names.map((name) => people.count(name));
			expect(Math.max(...counts)).toBeLessThan(2);
			// Nobody has such a value before, so whoever is told was created.
			for (const { json } of listRecords(result)) expect(names).toContain(json.name);
		});
		await fc.assert(property, { ...settings, numRuns: Math.ceil(settings.numRuns / 4) });
	},
	withinMs(settings),
);
