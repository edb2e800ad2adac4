import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { quote } from '../../parameters/checks';
import { flagChecks } from '../../parameters/fields';
import { compileParameter, findUnevaluated } from '../../parameters/mapping';
import { refuseItem } from '../../parameters/problem';
import { type ParameterSource, readValues } from '../../parameters/read';
import { isObject } from '../../runtime/unknown';
import type { Operation } from '../operation/operation';
import { ownOptions, usualOptions } from '../operation/sharedParameters';
import type { RunOptions } from './model';

const runOptionNames = ['dryRun', 'report', 'requests', 'sendAsIs'];

/** What decides about everything that is sent, so no item may mean something else than the run. */
const decisive = [
	['dryRun', 'Options > Dry Run'],
	['sendAsIs', 'Options > Send As Is'],
] as const;

/**
 * What the first item says of the run. An option that was added and left blank has its default.
 * @throws {ItemRefusedError}
 */
export function readRunOptions(properties: INodeProperties[], source: ParameterSource): RunOptions {
	const all = properties.find(({ name }) => name === 'options');
	const members = (all?.options ?? []).filter(({ name }) => runOptionNames.includes(name));
	const property = { ...ownOptions, options: members } as INodeProperties;
	const { options } = readValues([property], {}, source) as { options: RunOptionValues };
	const { requests, ...switches } = options;
	// An expression that yields nothing must not turn off what protects.
	for (const [name, label] of decisive)
		if (name in switches && switches[name] === undefined)
			refuseItem(label, 'is blank: set it to true or false, or remove it');
	const given = Object.entries({ ...requests?.value, ...switches });
	return {
		...usualOptions,
		...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
	};
}

type RunOptionValues = Partial<RunOptions> & { requests?: { value?: Partial<RunOptions> } };

/** They hold for the run, and are read once, but for those in which each item has to agree. */
export function withoutRunOptions(property: INodeProperties): INodeProperties {
	if (property.name !== 'options') return property;
	const own = (property.options ?? []).filter(
		({ name }) => decisive.some(([each]) => each === name) || !runOptionNames.includes(name),
	);
	return { ...property, options: own } as INodeProperties;
}

/** @throws {ItemRefusedError} for an item that means another Dry Run or Send As Is than the first one */
export function checkRunOptions(given: unknown, options: RunOptions): void {
	for (const [name, label] of decisive)
		if (isObject(given) && name in given && given[name] !== options[name])
			refuseItem(label, 'must be the same for all items');
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
		judge: ({ displayName, name, type }, path, { isInRow, isByExpression }) => {
			const [first, ...deeper] = path.map(String);
			const isWhole = keepsWhole.some((whole) => `${path.join('.')}.`.startsWith(`${whole}.`));
			// One that was added in the panel, too: n8n's own field for a date drops a date that is typed without a time.
			const isFilter =
				first === 'filters' ? isByExpression || deeper.length > 0 : name in flagChecks && !isWhole;
			if (isFilter) return void filters.push(displayName);
			if (!isByExpression) return undefined;
			const { [first ?? '']: forModel } = narrowedBy;
			const isDecisive = deeper.length === 0 && decisiveTypes.includes(type);
			if (!isInRow && !isDecisive && !isWhole && !forModel) return undefined;
			if (isTool) return `is blank: ${forModel ?? 'enter a value'}`;
			return forModel
				? 'is blank, which would find everything: remove such items with a Filter node before this one, or clear the field to list all'
				: 'is blank: correct its expression, or remove such items with a Filter node before this one';
		},
	};
}

/** The types of parameters that say what the others mean, or hold many. n8n itself ignores an expression for a collection. */
const decisiveTypes: string[] = ['assignmentCollection', 'boolean', 'options'];

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
	const { name } = property;
	const { [name]: own } = saved;
	const typed = findUnevaluated(own);
	if (typed)
		return () =>
			refuseItem(
				labelOfFixed(property, own),
				`contains the expression ${quote(typed)}, but the field is set to Fixed: switch it to Expression`,
			);
	if (isTool || !(name in saved))
		return (_: IDataObject, evaluate: (path: string) => unknown) => evaluate(name);
	return compileParameter(own, name);
}

/** The labels that lead to the field with such an expression. */
function labelOfFixed({ displayName, options = [] }: INodeProperties, saved: unknown): string {
	const groups = options.flatMap((option) => ('values' in option ? option.values : []));
	const members = groups.length > 0 ? groups : options;
	const places = groups.length > 0 ? Object.values(saved as object).flat() : [saved];
	for (const member of members)
		for (const place of places) {
			const own: unknown = isObject(place) ? place[member.name] : undefined;
			if (findUnevaluated(own))
				return `${displayName} > ${labelOfFixed(member as INodeProperties, own)}`;
		}
	return displayName;
}
