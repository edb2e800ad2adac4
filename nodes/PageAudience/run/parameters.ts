import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	NodePropertyTypes,
} from 'n8n-workflow';
import { quote } from '../../parameters/checks';
import { compileParameter, findUnevaluated } from '../../parameters/mapping';
import { refuseItem } from '../../parameters/problem';
import { type ParameterSource, readValues } from '../../parameters/read';
import { isObject } from '../../runtime/unknown';
import type { Operation } from '../operation/operation';
import { ownOptions, usualOptions } from '../operation/sharedParameters';
import type { RunOptions } from './model';

const runOptionNames = [...Object.keys(usualOptions), 'pageSize'];

/**
 * What the first item says of the run. An option that was added and left blank has its default.
 * @throws {ItemRefusedError}
 */
export function readRunOptions(properties: INodeProperties[], source: ParameterSource): RunOptions {
	const all = properties.find(({ name }) => name === 'options');
	const members = (all?.options ?? []).filter(({ name }) => runOptionNames.includes(name));
	const property = { ...ownOptions, options: members } as INodeProperties;
	const { options } = readValues([property], {}, source) as { options: Partial<RunOptions> };
	// The one switch that protects: an expression that yields nothing must not turn it off.
	if ('dryRun' in options && options.dryRun === undefined)
		refuseItem('Options > Dry Run', 'is blank: set it to true or false, or remove it');
	const set = Object.entries(options).filter(([, value]) => value !== undefined);
	return { ...usualOptions, ...Object.fromEntries(set) };
}

/** They hold for the run, and are read once. An item that means another Dry Run is neither sent nor shown. */
export function withoutRunOptions(property: INodeProperties): INodeProperties {
	if (property.name !== 'options') return property;
	const own = (property.options ?? []).filter(
		({ name }) => name === 'dryRun' || !runOptionNames.includes(name),
	);
	return { ...property, options: own } as INodeProperties;
}

/** @throws {ItemRefusedError} for an item that means another Dry Run than the first one */
export function checkDryRun(given: unknown, dryRun: boolean): void {
	if (isObject(given) && 'dryRun' in given && given.dryRun !== dryRun)
		refuseItem('Options > Dry Run', 'must be the same for all items');
}

/**
 * What an expression left blank never changes whose records are read, nor what was meant: a row has all of its cells, a
 * choice is made, and what is sent as a whole stays whole. Everything else counts as not set.
 * @param filters takes the labels of those that are not set, which are told
 */
export function blankRule(
	{ narrowedBy = {}, keepsWhole = [] }: Operation,
	saved: IDataObject,
	isTool: boolean,
	filters: string[],
): ParameterSource['blank'] {
	return {
		saved,
		judge: ({ displayName, type }, [first, ...deeper], { isInRow, isByExpression }) => {
			const name = String(first);
			// One that was added in the panel, too: n8n's own field for a date drops a date that is typed without a time.
			if (name === 'filters' && (isByExpression || deeper.length > 0))
				return void filters.push(displayName);
			if (!isByExpression) return undefined;
			const { [name]: forModel } = narrowedBy;
			const isDecisive = deeper.length === 0 && decisive.includes(type);
			if (!isInRow && !isDecisive && !keepsWhole.includes(name) && !forModel) return undefined;
			if (isTool) return `is blank: ${forModel ?? 'enter a value'}`;
			return forModel
				? 'is blank, which would find everything: remove such items with a Filter node before this one, or clear the field to list all'
				: 'is blank: correct its expression, or remove such items with a Filter node before this one';
		},
	};
}

/** The types of parameters that say what the others mean, or hold many. n8n itself ignores an expression for a collection. */
const decisive: NodePropertyTypes[] = ['assignmentCollection', 'boolean', 'options'];

/** Reads a parameter for an item. n8n does it for a tool, whose values a model provides. */
export function openParameters(
	context: IExecuteFunctions,
	properties: INodeProperties[],
	isTool: boolean,
): (name: string, json: IDataObject, item: number) => unknown {
	const { parameters } = context.getNode();
	const readers = new Map(
		properties.map((property) => [property.name, openReader(property, parameters, isTool)]),
	);
	return (name, json, item) =>
		readers.get(name)?.(json, (path) =>
			context.getNodeParameter(path, item, null, { skipValidation: true }),
		);
}

/** @param saved the parameters in the workflow, with expressions unresolved */
function openReader(property: INodeProperties, saved: IDataObject, isTool: boolean) {
	const { name, options = [] } = property;
	const { [name]: own } = saved;
	const typed = findUnevaluated(own);
	if (typed)
		return () =>
			refuseItem(
				property.displayName,
				`contains the expression ${quote(typed)}, but the field is set to Fixed: switch it to Expression`,
			);
	if (isTool || !(name in saved))
		return (_: IDataObject, evaluate: (path: string) => unknown) => evaluate(name);
	const read = compileParameter(own, name);
	// The members of a collection whose rows nobody typed: an expression yields all of them.
	const members = isObject(own) ? own : {};
	const yielded = options.filter(
		(member) =>
			'typeOptions' in member &&
			member.typeOptions?.multipleValues &&
			typeof members[member.name] === 'string',
	);
	if (yielded.length === 0) return read;
	return (json: IDataObject, evaluate: (path: string) => unknown) =>
		asOneRow(read(json, evaluate), yielded);
}

/** A list from an expression is one row: only what people type into a row is split at commas. */
function asOneRow(value: unknown, members: Array<{ name: string }>): unknown {
	if (!isObject(value)) return value;
	const rows = members.map(({ name }) => [name, [value[name]]]);
	return { ...value, ...Object.fromEntries(rows) } as object;
}
