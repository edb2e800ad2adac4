import fc from 'fast-check';
import {
	anyFault,
	describeFault,
	describeScript,
	type Fault,
	passingFault,
	type Script,
	scriptOf,
} from './faults.mts';
import {
	isWriteName,
	type ItemChoice,
	type ListName,
	lists,
	type WriteName,
	writes,
} from './operations.mts';
import { isOfSandbox } from './playOverHttp.mts';
import type { ListStyle, ServiceStyle } from './service.mts';
import { type Ending, endings, filling } from './texts.mts';

export interface ListSettings {
	returnAll: boolean;
	limit: number;
	pageSize?: number;
	/** A file has the same records as items have. */
	outputAs: 'items' | 'jsonl';
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
	/** n8n does not tell when the execution began, as in older versions. */
	hidesStart: boolean;
	list: ListSettings;
	service: ServiceStyle;
	/** How long the service takes for a response. */
	latencyMs: number;
	script: Script;
	/** What every request after the script meets. */
	tail?: Fault;
	/** What the texts end with, each time their expressions are evaluated. */
	ending: Ending;
	/** Which correction of the workflow is run. */
	correction: number;
	retries: Retry[];
	/** One item in place of all. */
	isReported?: boolean;
}

const item: fc.Arbitrary<ItemChoice> = fc.record({
	number: fc.nat({ max: 5 }),
	flaw: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 12, arbitrary: fc.constant('none' as const) },
		{
			weight: 1,
			arbitrary: fc.constantFrom('empty' as const, 'blank' as const, 'invalid' as const),
		},
	),
});

const filledItem = fc
	.tuple(item, fc.option(filling, { nil: undefined, freq: 1 }))
	.map(([choice, text]): ItemChoice => ({ ...choice, filling: text }));

/** Two thirds have no Retry. */
const retries: fc.Arbitrary<Retry[]> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 2, arbitrary: fc.constant<Retry[]>([]) },
	{
		weight: 1,
		arbitrary: fc.array(
			fc.record({
				correction: fc.constantFrom(0, 0, 1, 2),
				goesOn: fc.boolean(),
			}),
			{ minLength: 1, maxLength: 4 },
		),
	},
);

const listStyle: fc.Arbitrary<ListStyle> = fc.record({
	maximum: fc.constantFrom(1000, 100, 150, 7),
	limits: fc.constantFrom(
		'cut' as const,
		'ignored' as const,
		400 as const,
		413 as const,
		422 as const,
		500 as const,
	),
	cursor: fc.constantFrom('opaque' as const, 'page number' as const, 'odd' as const),
	end: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant('as documented' as const) },
		{
			weight: 4,
			arbitrary: fc.constantFrom(
				'no hasMore' as const,
				'empty page' as const,
				'position left' as const,
				'endless' as const,
				'same again' as const,
			),
		},
	),
	totalCount: fc.constantFrom(
		'honest' as const,
		'null' as const,
		'absent' as const,
		'low' as const,
	),
	pastEnd: fc.constantFrom('empty' as const, 400 as const, 404 as const, 416 as const),
	blankIds: fc.constantFrom('none' as const, 'some' as const, 'all' as const),
	emptyFirst: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 9, arbitrary: fc.constant(false) },
		{ weight: 1, arbitrary: fc.constant(true) },
	),
});

const count = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 3, arbitrary: fc.nat({ max: 30 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 90, max: 260 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 261, max: 1300 }) },
);

const listSettings: fc.Arbitrary<ListSettings> = fc.record({
	limit: fc.oneof(
		{ withCrossShrink: true },
		fc.integer({ min: 1, max: 20 }),
		fc.constantFrom(100, 105, 150, 250, 1100),
	),
	returnAll: fc.boolean(),
	pageSize: fc.option(fc.constantFrom(3, 10, 100, 400), { nil: undefined }),
	outputAs: fc.constantFrom('items' as const, 'items' as const, 'jsonl' as const),
});

const plainList: ListSettings = { returnAll: true, limit: 1, outputAs: 'items' };

/** One execution, with texts that do not change. */
const once = { ending: 'none' as const, correction: 0, retries: [] };

const plainStyle: ListStyle = {
	maximum: 1000,
	limits: 'cut',
	cursor: 'opaque',
	end: 'as documented',
	totalCount: 'honest',
	pastEnd: 'empty',
	blankIds: 'none',
	emptyFirst: false,
};

const script: fc.Arbitrary<Script> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 1, arbitrary: fc.constant<Script>([]) },
	{ weight: 4, arbitrary: scriptOf(passingFault) },
	{ weight: 3, arbitrary: scriptOf(anyFault) },
);

/** So short that no pause is as short. */
export const shortLatencyMs = 20;

/** What holds for every operation. */
const common = {
	onError: fc.constantFrom(
		'stopWorkflow' as const,
		'continueRegularOutput' as const,
		'continueErrorOutput' as const,
	),
	tries: fc.constantFrom(1, 2, 3),
	maxRetries: fc.constantFrom(0, 1, 3, 3, 10),
	concurrency: fc.constantFrom(1, 2, 10),
	requestsPerSecond: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 5, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.constantFrom(2, 50) },
	),
	latencyMs: fc.constantFrom(0, shortLatencyMs, shortLatencyMs, shortLatencyMs, 50_000),
	script,
	tail: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 9, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: anyFault },
	),
};

const mostItems = 8;

export const writeScenario: fc.Arbitrary<Scenario> = fc
	.record({
		operation: fc.constantFrom(...(Object.keys(writes) as WriteName[])),
		items: fc.array(fc.oneof({ weight: 3, arbitrary: item }, filledItem), {
			minLength: 1,
			maxLength: mostItems,
		}),
		...common,
		ending: fc.constantFrom('none' as const, ...(Object.keys(endings) as Ending[])),
		retries,
		hidesStart: fc.boolean(),
		repeatedKey: fc.constantFrom(
			'conflict' as const,
			'conflict' as const,
			'returned' as const,
			'ignored' as const,
		),
	})
	.map(({ repeatedKey, ...rest }) =>
		readable({
			...rest,
			// Equal items would differ, with one key.
			ending: rest.operation === 'personLog.create, key custom' ? 'none' : rest.ending,
			correction: 0,
			// Without it, two Retries of an execution do not know that they are the same.
			list: plainList,
			service: { repeatedKey, count: 0, list: plainStyle },
		}),
	);

export const listScenario: fc.Arbitrary<Scenario> = fc
	.record({
		operation: fc.constantFrom(...(Object.keys(lists) as ListName[])),
		items: fc.array(item, { minLength: 1, maxLength: 4 }),
		...common,
		list: listSettings,
		count,
		style: listStyle,
	})
	.map(({ count, style, ...rest }) =>
		readable({
			...rest,
			...once,
			hidesStart: false,
			service: { repeatedKey: 'ignored', count, list: style },
		}),
	);

/** What the sandbox knows, does and can be told to do. */
export const sandboxScenario: fc.Arbitrary<Scenario> = fc
	.record({
		operation: fc.constantFrom<WriteName | ListName>(
			'person.create',
			'personLog.create, key auto',
			'personLog.create, key content',
			'personLog.create, key none',
			'person.getAll',
		),
		items: fc.array(item, { minLength: 1, maxLength: mostItems }),
		...common,
		script: scriptOf(anyFault.filter(isOfSandbox)),
		hidesStart: fc.boolean(),
		list: fc.record({
			limit: fc.integer({ min: 1, max: 250 }),
			returnAll: fc.boolean(),
			pageSize: fc.option(fc.constantFrom(10, 100), { nil: undefined }),
			outputAs: fc.constantFrom('items' as const, 'jsonl' as const),
		}),
	})
	.map((rest) =>
		readable({
			...rest,
			...once,
			// Its latency is a timer, which stands still while a request is under way.
			latencyMs: 0,
			tail: undefined,
			service: {
				repeatedKey: 'returned',
				count: 0,
				list: { ...plainStyle, maximum: 100, limits: 400 },
			},
		}),
	);

/** A run in which nothing is amiss. */
export const plainScenario: Scenario = {
	operation: 'person.create',
	items: [{ number: 0, flaw: 'none' }],
	onError: 'continueRegularOutput',
	tries: 1,
	maxRetries: 3,
	concurrency: 10,
	requestsPerSecond: 0,
	hidesStart: false,
	list: plainList,
	service: { repeatedKey: 'conflict', count: 30, list: plainStyle },
	latencyMs: 0,
	script: [],
	...once,
};

/** fast-check prints it so. */
function readable(scenario: Scenario): Scenario {
	return Object.defineProperty(scenario, fc.toStringMethod, {
		value: () => describeScenario(scenario),
		enumerable: false,
	});
}

export function describeScenario(scenario: Scenario): string {
	const { operation, items, list, service, tail } = scenario;
	const isWrite = isWriteName(operation);
	const { style, ...rest } = { style: service.list, count: service.count };
	const describeItem = ({ number, flaw, filling: text }: ItemChoice) =>
		`${number}${flaw === 'none' ? '' : ` (${flaw})`}${text ? ` (${text.size} units ${text.kind})` : ''}`;
	const lines = [
		`${operation}, items ${items.map(describeItem).join(', ')}`,
		`On Error ${scenario.onError}, Retry On Fail ${scenario.tries > 1 ? `with ${scenario.tries} tries` : 'off'}, Max Retries ${scenario.maxRetries}, Concurrency ${scenario.concurrency}${scenario.requestsPerSecond ? `, Requests per Second ${scenario.requestsPerSecond}` : ''}`,
		!isWrite &&
			`${list.returnAll ? 'Return All' : `Limit ${list.limit} + item`}, Page Size ${list.pageSize ?? 'empty'}, Output As ${list.outputAs}`,
		!isWrite && `service: ${JSON.stringify({ ...rest, ...style })}`,
		isWrite &&
			`service: a repeated key: ${service.repeatedKey}${scenario.hidesStart ? '; the start of the execution is not told' : ''}`,
		isWrite && scenario.ending !== 'none' && `texts end with ${endings[scenario.ending]}`,
		scenario.retries.length > 0 && `Retries: ${JSON.stringify(scenario.retries)}`,
		`latency ${scenario.latencyMs} ms; faults: ${describeScript(scenario.script)}${tail ? `; every further request: ${describeFault(tail)}` : ''}`,
	];
	return `\n  ${lines.filter(Boolean).join('\n  ')}\n`;
}
