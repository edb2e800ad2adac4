import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import { Randomness } from '../../../sandbox/store/randomness.mts';
import { entries, type Run, type RunResult } from '../engine.mts';
import { runOffline } from '../offline.mts';
import { spellings } from './people.mts';
import type { Reply, WireRequest } from './wire.mts';
import { nightlySync } from '../sync/nightlySync.mts';

export const fields = ['email', 'linkedinProfileUrl', 'phoneNumber'] as const;

type OperationName = 'createOrGet' | 'upsert' | 'sync';

/** An operation on a few records, of which some exist, in a run whose requests may fail. */
export interface Scenario {
	operation: OperationName;
	/** What an earlier run has written. */
	known: IDataObject[];
	items: IDataObject[];
	concurrency: number;
	onError: NonNullable<Run['onError']>;
	/** What the writing requests meet, by their number. */
	faults: ReadonlyArray<'none' | 'refused' | 'lost'>;
}

const value = fc.nat({ max: 2 });
const spelling = fc.constantFrom(0 as const, 1 as const, 2 as const);

const person: fc.Arbitrary<IDataObject> = fc
	.record({
		match: fc.constantFrom(...fields),
		values: fc.tuple(value, value, value),
		spelling,
		has: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
	})
	.map(({ match, values, has, spelling: at }) => {
		const json: IDataObject = { match };
		for (const [i, field] of fields.entries()) {
			const text = spellings[field](values[i])[at].trim();
			if (field === match) json[field] = text;
			else if (has[i]) json[`more_${field}`] = text;
		}
		return json;
	});

const account: fc.Arbitrary<IDataObject> = fc.record({
	domain: fc.constantFrom('a.example', 'https://www.A.example/', 'b.example', 'c.example'),
	name: fc.constantFrom('One', 'Two'),
});

const entry: fc.Arbitrary<IDataObject> = fc.record({
	id: fc.nat({ max: 4 }),
	version: fc.constantFrom('1', '2'),
});

const make = (operation: OperationName, item: fc.Arbitrary<IDataObject>): fc.Arbitrary<Scenario> =>
	fc.record({
		operation: fc.constant(operation),
		known: fc.array(item, { maxLength: 3 }),
		items: fc.array(item, { minLength: 1, maxLength: 7 }),
		concurrency: fc.constantFrom(1, 3, 10),
		onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
		// Of either kind: one that is refused after it was lost is in doubt, and no count tells of it.
		faults: fc
			.constantFrom('refused' as const, 'lost' as const)
			.chain((fault) =>
				fc.array(fc.constantFrom('none' as const, 'none' as const, fault), { maxLength: 7 }),
			),
	});

export const scenarios: fc.Arbitrary<Scenario> = fc.oneof(
	make('createOrGet', person),
	make('upsert', account),
	make('sync', entry),
);

const parameters: Record<OperationName, INodeParameters> = {
	createOrGet: {
		resource: 'person',
		operation: 'createOrGet',
		matchOn: '={{ $json.match }}',
		...Object.fromEntries(fields.map((field) => [field, `={{ $json.${field} }}`])),
		name: 'Somebody',
		additionalFields: Object.fromEntries(
			fields.map((field) => [field, `={{ $json.more_${field} }}`]),
		),
	},
	upsert: {
		resource: 'account',
		operation: 'upsert',
		domain: '={{ $json.domain }}',
		name: '={{ $json.name }}',
	},
	sync: nightlySync,
};

// One for all runs, because making its records takes longer than a run.
const sandbox = new SandboxInProcess();

/** One service, and one n8n. */
export class Place {
	/** What the service was asked to write, and whether it did. */
	readonly writes: Array<{ method: string; done: boolean }> = [];

	private readonly scenario: Scenario;

	constructor(scenario: Scenario) {
		this.scenario = scenario;
		entries.empty();
		const { store, guesses } = sandbox;
		for (const records of [store.persons, store.accounts, store.personLogs]) records.clear();
		store.randomness = new Randomness(0);
		Object.assign(guesses, {
			personSearch: 'all',
			existingPerson: 'duplicate',
			existingAccount: 'duplicate',
			repeatedKey: 'returned',
		});
	}

	/** Changes with whatever is written. */
	get stored(): string {
		const { persons, accounts, personLogs } = sandbox.store;
		const names = accounts.all().map(({ accountId, name }) => [accountId, name]);
		return JSON.stringify([persons.size, names, personLogs.size]);
	}

	async run(
		items: IDataObject[],
		more: Partial<Scenario> = {},
		options: INodeParameters = {},
	): Promise<RunResult> {
		const { operation, concurrency, onError, faults } = { ...this.scenario, ...more };
		const before = this.writes.length;
		return await runOffline({
			parameters: { ...parameters[operation], options: { concurrency, ...options } },
			items,
			onError,
			answer: (request) => this.answer(request, faults[this.writes.length - before]),
		});
	}

	private answer(request: WireRequest, fault: Scenario['faults'][number] = 'none'): Reply {
		if (request.method === 'GET') return sandbox.answer(request);
		if (fault === 'refused') {
			this.writes.push({ method: request.method, done: false });
			return { status: 422, body: { error: 'Refused' } };
		}
		const before = this.stored;
		const reply = sandbox.answer(request);
		this.writes.push({ method: request.method, done: this.stored !== before });
		return fault === 'lost' ? { lost: 'ECONNRESET', message: 'lost' } : reply;
	}
}

/** What the summary of a run counts, by its words. */
export function readSummary({ hints }: RunResult): Record<string, number> {
	const summary = hints.find((hint) => /^(Dry run, nothing was changed: )?[\d,]+ [a-z]/.test(hint));
	const counts: Record<string, number> = {};
	for (const [, count, word] of summary?.matchAll(/([\d,]+) ([a-z][a-z ]*[a-z])(?=,|$| \()/g) ?? [])
		counts[word] = Number(count.replaceAll(',', ''));
	return counts;
}
