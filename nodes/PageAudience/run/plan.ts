import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { PathSegmentError } from '../../api/path';
import { type ApiRequest, isObject } from '../../api/request';
import type { FileFormat } from '../../files/listFile';
import { quote } from '../../parameters/checks';
import { compileParameter, findUnevaluated } from '../../parameters/mapping';
import { ItemRefusedError, refuseItem, toError } from '../../parameters/problem';
import { readValues } from '../../parameters/read';
import { Yielder } from '../../runtime/eventLoop';
import type { InputSource, Operation, SyncedRecord } from '../operation/operation';
import type { OutputChoice } from '../operation/output';
import { readRunOptions, runOptionNames, type RunOptions } from '../operation/sharedParameters';
import type { Execution } from './execution';

/** The parameters that operations share, besides the options of the run. */
export type CommonValues = OutputChoice & {
	/** Not there in an AI tool. */
	outputAs?: 'items' | FileFormat;
	returnAll?: boolean;
	limit?: number;
	/** For files. */
	binaryPropertyName?: string;
	options: { byteOrderMark?: boolean; delimiter?: string; escapeFormulas?: boolean };
};

/** An input item, read and checked, with nothing sent yet. */
export interface PlannedItem {
	item: number;
	values: CommonValues;
	request: ApiRequest;
	/** The input item. */
	json: IDataObject;
	/** The idempotency key that the node made for the request. */
	madeKey?: string;
	/** The records that it changes. */
	changes: string[];
	/** Present when it is sent only if no earlier run has written it. */
	synced?: SyncedRecord;
}

/** What an input item becomes: a plan, or what is wrong with it. */
export type Plan = PlannedItem | Error;

interface Planned {
	options: RunOptions;
	/** Fewer than there are items when the execution is cancelled. */
	plans: Plan[];
}

/** Reads and checks all items, so that an invalid one is found before anything is sent. */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	execution: Execution,
): Promise<Planned> {
	const signal = context.getExecutionCancelSignal();
	const items = context.getInputData();
	const zone = context.getTimezone();
	const { isTool } = execution;
	const read = openParameters(context, operation, isTool);
	const first = { get: (name: string) => read(name, items[0]?.json ?? {}, 0), zone, isTool };
	const { refusal, ...options } = readRunOptions(operation.properties, first);
	const properties = operation.properties.map(withoutRunOptions);
	const yielder = new Yielder();
	const plans: Plan[] = [];
	for (const [item, { json }] of items.entries()) {
		// Expressions take time.
		await yielder.yieldToEventLoop();
		if (signal?.aborted) break;
		const values: Record<string, unknown> = {};
		try {
			if (refusal) throw refusal;
			const source = { get: (name: string) => read(name, json, item), zone, isTool };
			Object.assign(values, readValues(properties, operation.checks ?? {}, source));
			checkDryRun(values.options, options.dryRun);
			const makeKey = (of: unknown) => execution.makeKey(json, item, of);
			plans.push(planItem(operation, item, values, { json, zone, makeKey }));
		} catch (error) {
			plans.push(describeInvalid(error, operation, values));
		}
	}
	return { options, plans };
}

/** They hold for the run, and are read once. An item that means another Dry Run is neither sent nor shown. */
function withoutRunOptions(property: INodeProperties): INodeProperties {
	if (property.name !== 'options') return property;
	const own = (property.options ?? []).filter(
		({ name }) => name === 'dryRun' || !runOptionNames.includes(name),
	);
	return { ...property, options: own } as INodeProperties;
}

function checkDryRun(given: unknown, dryRun: boolean): void {
	if (isObject(given) && 'dryRun' in given && given.dryRun !== dryRun)
		refuseItem(
			'Options > Dry Run',
			'holds for the whole run, but differs from that of the first item',
		);
}

function planItem(
	operation: Operation,
	item: number,
	values: Record<string, unknown>,
	source: InputSource,
): PlannedItem {
	let madeKey: string | undefined;
	const makeKey = (of: unknown) => (madeKey = source.makeKey(of));
	const request = operation.request(values, { ...source, makeKey });
	checkUnicode(operation, request);
	const { writes } = operation;
	// readValues builds them from the shared parameters, which every operation has.
	const common = { options: {}, ...values } as CommonValues;
	const changes = writes?.changes?.(values) ?? [];
	const synced = writes?.synced?.(values, request);
	return { item, values: common, request, json: source.json, madeKey, changes, synced };
}

/** Reads a parameter for an item. n8n does it for a tool, whose values a model provides. */
function openParameters(context: IExecuteFunctions, { properties }: Operation, isTool: boolean) {
	const { parameters } = context.getNode();
	const saved = isTool ? {} : parameters;
	const readers = new Map(
		properties
			.filter(({ name }) => name in saved)
			.map(({ name }) => [name, compileParameter(saved[name], name)]),
	);
	const lists = new Map(
		properties.map((property) => [property.name, findYielded(property, saved)]),
	);
	const unevaluated = new Map(
		properties.flatMap((property) => {
			const text = findUnevaluated(parameters[property.name]);
			return text ? [[property.name, { label: property.displayName, text }] as const] : [];
		}),
	);
	return (name: string, json: IDataObject, item: number): unknown => {
		const typed = unevaluated.get(name);
		if (typed)
			refuseItem(
				typed.label,
				`contains the expression ${quote(typed.text)}, but the field is set to Fixed: switch it to Expression`,
			);
		const evaluate = (path: string): unknown =>
			context.getNodeParameter(path, item, null, { skipValidation: true });
		const read = readers.get(name);
		return asOneRow(read ? read(json, evaluate) : evaluate(name), lists.get(name));
	};
}

/** The members of a collection whose rows nobody typed: an expression yields all of them. */
function findYielded({ name, options = [] }: INodeProperties, saved: IDataObject): string[] {
	const members = saved[name];
	if (!isObject(members)) return [];
	return options
		.filter((member) => 'typeOptions' in member && member.typeOptions?.multipleValues)
		.map((member) => member.name)
		.filter((member) => typeof Reflect.get(members, member) === 'string');
}

/** A list from an expression is one row: only what people type into a row is split at commas. */
function asOneRow(value: unknown, members: string[] = []): unknown {
	if (members.length === 0 || !isObject(value)) return value;
	const rows = members.map((member) => [member, [Reflect.get(value, member)]]);
	return { ...value, ...Object.fromEntries(rows) } as object;
}

function describeInvalid(
	error: unknown,
	{ properties }: Operation,
	values: Record<string, unknown>,
): Error {
	if (!(error instanceof PathSegmentError)) return toError(error);
	const parameter = properties.find(({ name }) => values[name] === error.value);
	return new ItemRefusedError([
		{ parameter: parameter?.displayName ?? 'ID', message: error.message },
	]);
}

/**
 * Half of a surrogate pair cannot stand in a URL: encodeURIComponent would throw a URIError that names nothing. What looks
 * first searches for texts of its body.
 */
function checkUnicode({ properties, writes, run }: Operation, { query, body }: ApiRequest): void {
	for (const [name, value] of Object.entries({ ...query, ...(writes && run && body) })) {
		if (typeof value !== 'string' || value.isWellFormed()) continue;
		const parameter = properties.find((property) => property.name === name);
		refuseItem(parameter?.displayName ?? name, 'is not valid Unicode');
	}
}
