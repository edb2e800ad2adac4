import fc from 'fast-check';
import type { Guesses } from '../../../sandbox/guesses.mts';
import {
	anyFault,
	type RandomFault,
	type FaultSequence,
	faultSequence,
	passingFault,
	stuckPage,
} from './faults.mts';
import {
	isWriteName,
	type ItemChoice,
	type ListName,
	lists,
	type WriteName,
	writes,
} from './operations.mts';
import { choices } from './fakeService.mts';

interface ListSettings {
	returnAll: boolean;
	/** The item's number is added. */
	limit: number;
	pageSize?: number;
	/** A file has the same records as items have. */
	isFile: boolean;
}

/** A Retry of the latest execution in the list. n8n starts it from what was stored when that one failed. */
interface Retry {
	/** Which correction of the workflow it runs with; 0: none. */
	correction: number;
	/** Whether On Error has been set to continue. */
	goesOn: boolean;
}

/** Everything that one execution, and its Retries, depend on. */
export interface Scenario {
	operation: WriteName | ListName;
	items: ItemChoice[];
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** Max Tries of Retry On Fail; 1 where it is off. */
	tries: number;
	maxRetries: number;
	concurrency: number;
	/** 0: no limit. */
	requestsPerSecond: number;
	list: ListSettings;
	/** What the API's description leaves open. */
	guesses: Partial<Guesses>;
	/** Records of the longest list. */
	count: number;
	/** How long the service takes for a response. */
	latencyMs: number;
	/** One for each of the first requests, in the order in which they are sent; undefined: the service answers. */
	faults: FaultSequence;
	/** What every request after them meets. */
	lastingFault?: RandomFault;
	/** Texts end with something else each time their expressions are evaluated. */
	changes: boolean;
	retries: Retry[];
}

const item: fc.Arbitrary<ItemChoice> = fc.record({
	number: fc.nat({ max: choices - 1 }),
	isFlawed: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 9, arbitrary: fc.constant(false) },
		{ weight: 1, arbitrary: fc.constant(true) },
	),
});

/** Two thirds have no Retry. */
const retries: fc.Arbitrary<Retry[]> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 2, arbitrary: fc.constant<Retry[]>([]) },
	{
		weight: 1,
		arbitrary: fc.array(
			fc.record({ correction: fc.constantFrom(0, 0, 1, 2), goesOn: fc.boolean() }),
			{ minLength: 1, maxLength: 4 },
		),
	},
);

const faults: fc.Arbitrary<FaultSequence> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 1, arbitrary: fc.constant<FaultSequence>([]) },
	{ weight: 4, arbitrary: faultSequence(passingFault) },
	{ weight: 3, arbitrary: faultSequence(anyFault) },
);

/** Some page of a list is stuck. */
const stuckFaults = fc
	.tuple(fc.nat({ max: 3 }), stuckPage)
	.map(([pages, fault]): FaultSequence => [...Array<undefined>(pages), fault]);

/** So short that no pause is as short. */
export const shortLatencyMs = 20;

/** How n8n and the node run any operation. */
export const runSettings = {
	onError: fc.constantFrom(
		'stopWorkflow' as const,
		'continueRegularOutput' as const,
		'continueErrorOutput' as const,
	),
	tries: fc.constantFrom(1, 2, 3),
	maxRetries: fc.constantFrom(0, 1, 3, 3, 10),
	concurrency: fc.constantFrom(1, 2, 10),
};

const common = {
	...runSettings,
	requestsPerSecond: fc.constantFrom(0, 0, 0, 0, 0, 2, 50),
	latencyMs: fc.constantFrom(0, shortLatencyMs, shortLatencyMs, shortLatencyMs, 50_000),
	lastingFault: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 9, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: anyFault },
	),
};

export const writeScenario: fc.Arbitrary<Scenario> = fc
	.record({
		operation: fc.constantFrom(...(Object.keys(writes) as WriteName[])),
		items: fc.array(item, { minLength: 1, maxLength: 8 }),
		...common,
		faults,
		changes: fc.boolean(),
		retries,
		repeatedKey: fc.constantFrom(
			'conflict' as const,
			'conflict' as const,
			'returned' as const,
			'ignored' as const,
		),
	})
	.map(({ repeatedKey, ...rest }) => ({
		...rest,
		// Equal items would differ, with one key.
		changes: rest.changes && rest.operation !== 'personLog.create, key custom',
		list: { returnAll: true, limit: 1, isFile: false },
		guesses: { repeatedKey },
		count: 0,
	}));

export const listScenario: fc.Arbitrary<Scenario> = fc
	.record({
		operation: fc.constantFrom(...(Object.keys(lists) as ListName[])),
		items: fc.array(item, { minLength: 1, maxLength: 4 }),
		...common,
		faults: fc.oneof({ weight: 3, arbitrary: faults }, stuckFaults),
		list: fc.record({
			limit: fc.oneof(
				{ withCrossShrink: true },
				fc.integer({ min: 1, max: 20 }),
				fc.constantFrom(100, 105, 150, 250, 1100),
			),
			returnAll: fc.boolean(),
			pageSize: fc.option(fc.constantFrom(3, 3, 10, 100, 400), { nil: undefined }),
			isFile: fc.constantFrom(false, false, true),
		}),
		count: fc.oneof(
			{ withCrossShrink: true },
			{ weight: 3, arbitrary: fc.nat({ max: 30 }) },
			{ weight: 2, arbitrary: fc.integer({ min: 90, max: 260 }) },
			{ weight: 1, arbitrary: fc.integer({ min: 261, max: 1300 }) },
		),
		guesses: fc.record({
			maximumLimit: fc.constantFrom(1000, 100, 150, 7),
			totalCountOfPersons: fc.constantFrom('counted' as const, 'null' as const),
		}),
	})
	.map((rest) => ({ ...rest, changes: false, retries: [] }));

/** Records that an item wants at most. */
export function countWanted({ list, operation }: Scenario, item: ItemChoice): number {
	if (list.returnAll && operation !== 'page.search') return Infinity;
	return list.limit + item.number;
}

/** Whether the list comes in pages. */
export function hasPages({ operation }: Scenario): boolean {
	return !isWriteName(operation) && lists[operation].pages;
}

/** The limit of a flawed item is 0, which is no flaw where the whole list is wanted. */
export function isFlawed(scenario: Scenario, item: ItemChoice): boolean {
	return (
		item.isFlawed && (isWriteName(scenario.operation) || countWanted(scenario, item) < Infinity)
	);
}
