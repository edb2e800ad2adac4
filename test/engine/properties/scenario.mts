import fc from 'fast-check';
import type { Guesses } from '../../../sandbox/guesses.mts';
import { type Drawn, oneOf, seldom } from './drawing.mts';
import { choices } from './fakeService.mts';
import { anyFault, type FaultSequence, faultSequence, passingFault, stuckPage } from './faults.mts';
import {
	isWriteName,
	type ItemChoice,
	type ListName,
	lists,
	type WriteName,
	writes,
} from './operations.mts';

const item: fc.Arbitrary<ItemChoice> = fc.record({
	number: fc.nat({ max: choices - 1 }),
	isFlawed: oneOf([9, fc.constant(false)], [1, fc.constant(true)]),
});

/** A Retry of the latest execution in the list. n8n starts it from what was stored when that one failed. */
const retry = fc.record({
	/** Which correction of the workflow it runs with; 0: none. */
	correction: fc.constantFrom(0, 0, 1, 2),
	/** Whether On Error has been set to continue. */
	goesOn: fc.boolean(),
});

const faults = oneOf<FaultSequence>(
	[1, fc.constant([])],
	[4, faultSequence(passingFault)],
	[3, faultSequence(anyFault)],
);

/** Some page of a list is stuck. */
const stuckFaults = fc
	.tuple(fc.nat({ max: 3 }), stuckPage)
	.map(([pages, fault]): FaultSequence => [...Array<undefined>(pages), fault]);

/** How n8n and the node run any operation. */
export const runSettings = {
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	/** Max Tries of Retry On Fail; 1 where it is off. */
	tries: fc.constantFrom(1, 2, 3),
	maxRetries: fc.constantFrom(0, 1, 3, 3, 10),
	concurrency: fc.constantFrom(1, 2, 10),
};

/** Everything that one execution, and its Retries, depend on. */
const common = {
	items: fc.array(item, { minLength: 1, maxLength: 8 }),
	...runSettings,
	/** 0: no limit. */
	requestsPerSecond: fc.constantFrom(0, 0, 0, 0, 0, 2, 50),
	/** How long the service takes for a response. */
	latencyMs: fc.constantFrom(0, 20, 20, 20, 50_000),
	/** One for each of the first requests, in the order in which they are sent; undefined: the service answers. */
	faults,
	/** What every request after them meets. */
	lastingFault: seldom(anyFault),
	/** Texts end with something else each time their expressions are evaluated. */
	changes: fc.boolean(),
	/** Two thirds have none. */
	retries: oneOf(
		[2, fc.constant<Array<Drawn<typeof retry>>>([])],
		[1, fc.array(retry, { minLength: 1, maxLength: 4 })],
	),
	/** What the API's description leaves open. */
	guesses: fc.constant<Partial<Guesses>>({}),
	/** Records of the longest list. */
	count: fc.constant<number>(0),
	list: fc.record({
		returnAll: fc.boolean(),
		/** The item's number is added. */
		limit: oneOf(
			[1, fc.integer({ min: 1, max: 20 })],
			[1, fc.constantFrom(100, 105, 150, 250, 1100)],
		),
		pageSize: fc.constantFrom(undefined, 3, 3, 10, 100, 400),
		/** A file has the same records as items have. */
		isFile: fc.constantFrom(false, false, true),
	}),
};

export type Scenario = { operation: WriteName | ListName } & {
	[K in keyof typeof common]: Drawn<(typeof common)[K]>;
};

export const writeScenario: fc.Arbitrary<Scenario> = fc
	.record({
		...common,
		operation: fc.constantFrom(...(Object.keys(writes) as WriteName[])),
		guesses: fc.record({
			repeatedKey: fc.constantFrom('conflict', 'conflict', 'returned', 'ignored'),
		}),
		list: fc.constant({ returnAll: true, limit: 1, pageSize: undefined, isFile: false }),
	})
	.map((given) => ({
		...given,
		// Equal items would differ, with one key.
		changes: given.changes && given.operation !== 'personLog.create, key custom',
	}));

export const listScenario: fc.Arbitrary<Scenario> = fc.record({
	...common,
	operation: fc.constantFrom(...(Object.keys(lists) as ListName[])),
	items: fc.array(item, { minLength: 1, maxLength: 4 }),
	faults: fc.oneof({ weight: 3, arbitrary: faults }, stuckFaults),
	changes: fc.constant(false),
	retries: fc.constant([]),
	guesses: fc.record({
		maximumLimit: fc.constantFrom(1000, 100, 150, 7),
		totalCountOfPersons: fc.constantFrom('counted', 'null'),
	}),
	count: oneOf(
		[3, fc.nat({ max: 30 })],
		[2, fc.integer({ min: 90, max: 260 })],
		[1, fc.integer({ min: 261, max: 1300 })],
	),
});

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
