import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { PathSegmentError } from '../../api/path';
import { type ApiRequest, isObject } from '../../api/request';
import { quote } from '../../parameters/checks';
import { compileParameter } from '../../parameters/mapping';
import { ItemRefusedError, refuseItem, toError } from '../../parameters/problem';
import { readValues } from '../../parameters/read';
import { findUnevaluated } from '../../parameters/unevaluated';
import { Yielder } from '../../runtime/eventLoop';
import type { InputSource, Operation } from '../operation/operation';
import { completeOptions, type Options } from '../operation/sharedParameters';
import type { Run } from './open';
import type { CommonValues, Plan, ValidPlan } from './plan';

/**
 * Reads and checks all items, so that an invalid one is found before anything is sent.
 * @returns fewer when the execution is cancelled
 */
export async function planItems(run: Run): Promise<Plan[]> {
	const { context, operation, execution, signal } = run;
	const zone = context.getTimezone();
	const read = openParameters(run);
	const yielder = new Yielder();
	const plans: Plan[] = [];
	for (const [item, { json }] of context.getInputData().entries()) {
		// Expressions take time.
		await yielder.yieldToEventLoop();
		if (signal?.aborted) break;
		let values: Record<string, unknown> = {};
		try {
			values = readValues(operation.properties, operation.checks ?? {}, {
				get: (name) => read(name, json, item),
				zone,
				isTool: execution.isTool,
			});
			const makeKey = (of: unknown) => execution.makeKey(json, item, of);
			plans.push(makePlan(operation, values, { json, zone, makeKey }));
		} catch (error) {
			plans.push({ kind: 'withheld', error: describeInvalid(error, operation, values) });
		}
	}
	return plans;
}

/** Reads a parameter for an item. n8n does it for a tool, whose values a model provides. */
function openParameters({ context, operation, execution }: Run) {
	const { parameters } = context.getNode();
	const saved = execution.isTool ? {} : parameters;
	const readers = new Map(
		operation.properties
			.filter(({ name }) => name in saved)
			.map(({ name }) => [name, compileParameter(saved[name], name)]),
	);
	const lists = new Map(
		operation.properties.map((property) => [property.name, findYielded(property, saved)]),
	);
	const unevaluated = new Map(
		operation.properties.flatMap((property) => {
			const found = findUnevaluated(property, parameters[property.name]);
			return found ? [[property.name, found] as const] : [];
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
		const value = read ? read(json, evaluate) : evaluate(name);
		return asOneRow(value, lists.get(name));
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

function makePlan(
	operation: Operation,
	values: Record<string, unknown>,
	source: InputSource,
): ValidPlan {
	let madeKey: string | undefined;
	const makeKey = (of: unknown) => (madeKey = source.makeKey(of));
	const request = operation.request(values, { ...source, makeKey });
	checkUnicode(operation, request);
	// readValues builds them from the shared parameters, which every operation has.
	const common = values as Partial<CommonValues>;
	const options = completeOptions(common.options);
	const item = { values: { ...common, options }, request, json: source.json };
	if (operation.paging) {
		const { outputAs: format } = common;
		if (format === 'csv' || format === 'jsonl') return { kind: 'file', operation, ...item, format };
		return { kind: 'list', operation, ...item };
	}
	checkDryRun(common.options);
	const isDryRun = options.dryRun === true;
	const { writes } = operation;
	if (!writes) return { kind: 'read', operation, ...item };
	const write = {
		...item,
		madeKey,
		changes: writes.changes?.(values) ?? [],
	};
	if (operation.ensure) return { kind: 'ensure', operation, ...write, isDryRun };
	return isDryRun
		? { kind: 'preview', ...item }
		: { kind: 'send', operation, ...write, synced: operation.writes?.synced?.(values, request) };
}

/** The one switch that protects: an expression that yields nothing must not turn it off. */
function checkDryRun(given: Partial<Options> = {}): void {
	if ('dryRun' in given && given.dryRun === undefined)
		refuseItem('Options > Dry Run', 'is blank: set it to true or false, or remove it');
}

function describeInvalid(
	error: unknown,
	{ properties }: Operation,
	values: Record<string, unknown>,
): Error {
	if (error instanceof PathSegmentError) {
		const parameter = properties.find(({ name }) => values[name] === error.value);
		return new ItemRefusedError([
			{ parameter: parameter?.displayName ?? 'ID', message: error.message },
		]);
	}
	return toError(error);
}

/**
 * Half of a surrogate pair cannot stand in a URL: encodeURIComponent would throw a URIError that names nothing. What looks
 * first searches for texts of its body.
 */
function checkUnicode({ properties, ensure }: Operation, { query, body }: ApiRequest): void {
	for (const [name, value] of Object.entries({ ...query, ...(ensure && body) })) {
		if (typeof value !== 'string' || value.isWellFormed()) continue;
		const parameter = properties.find((property) => property.name === name);
		refuseItem(parameter?.displayName ?? name, 'is not valid Unicode');
	}
}
