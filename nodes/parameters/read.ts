import type {
	IDataObject,
	INodeProperties,
	INodePropertyCollection,
	IPollFunctions,
} from 'n8n-workflow';
import { isObject, toError } from '../runtime/unknown';
import { type Check, InvalidValueError } from './checks';
import * as convert from './convert';
import { readDate } from './dates';
import { toAssignedFields, toJsonObject } from './json';
import { isExpression, type ValuePath } from './mapping';
import { type LeftOut, type Problem, ItemRefusedError } from './problem';

export type Checks = { [name: string]: Check | Checks | undefined };

export interface ParameterSource {
	/** The parameter's value for one item, with expressions resolved. undefined if the item has no value. */
	get: (name: string) => unknown;
	zone: string;
	isTool: boolean;
	/** Takes what the item goes out without. */
	leftOut?: LeftOut[];
	/** What becomes of what is blank. Without it, such a value counts as not set. */
	blank?: {
		/** The parameters in the workflow, with expressions unresolved. */
		saved: IDataObject;
		/**
		 * @param place in a row of the panel, and whether an expression left it blank
		 * @returns why it is refused, which follows the label; undefined if it counts as not set
		 */
		judge: (
			property: INodeProperties,
			path: ValuePath,
			place: { isInRow: boolean; isByExpression: boolean },
		) => string | undefined;
	};
}

type ReadResult = Record<string, unknown>;

/** The checks with Options > Send As Is. */
export function asIsChecks(checks: Checks = {}): Checks {
	const changed = Object.entries(checks).map(([name, check]) => {
		if (typeof check === 'object') return [name, asIsChecks(check)];
		return [name, check?.asIs ?? check];
	});
	return Object.fromEntries(changed) as Checks;
}

/** Whether it has values that Options > Send As Is sends in another way. */
export function hasAsIs(checks: Checks = {}): boolean {
	return Object.values(checks).some((check) =>
		typeof check === 'object' ? hasAsIs(check) : check?.asIs !== undefined,
	);
}

/**
 * The label of a parameter. In an AI tool the model sees little more than the label, and must not enter a record's
 * name in place of its ID.
 */
export function labelOf({ displayName, type }: INodeProperties, isTool: boolean): string {
	return isTool && type === 'resourceLocator' ? `${displayName} ID` : displayName;
}

/**
 * The values of all parameters that are shown. Each one goes through these steps: n8n, or mapping.ts, evaluates its
 * expressions; convert.ts, dates.ts and json.ts make a value of the parameter's type of it; an ID loses what is invisible;
 * and the check of that name, if there is one, refuses it or says what to send.
 * @throws {ItemRefusedError} with every problem found
 */
export function readValues(
	properties: INodeProperties[],
	checks: Checks,
	source: ParameterSource,
): ReadResult {
	const top: ReadResult = {};
	const problems: Problem[] = [];
	const panel = { ...source, top, near: top, label: '', path: [], problems, isInRow: false };
	readShown(properties, checks, panel);
	if (problems.length) throw new ItemRefusedError(problems);
	return top;
}

/** Where parameters stand: in the panel, or in a collection, a group or a row of it. `get` reads a value there. */
interface Place extends ParameterSource {
	/** The values of the panel that are read so far. */
	top: ReadResult;
	/** Those beside the value. */
	near: ReadResult;
	/** The labels that lead there. */
	label: string;
	path: ValuePath;
	problems: Problem[];
	isInRow: boolean;
}

/** Reads the parameters of the panel, or of a group in it, that are shown, into its `near`. */
function readShown(properties: INodeProperties[], checks: Checks, place: Place): void {
	for (const property of properties) {
		if (property.type === 'notice' || !isShown(property, place)) continue;
		const value = readValue(property, checks, place);
		// A select always has a value. In a collection, a blank one is not sent.
		const usual = isSelect(property) ? property.default : undefined;
		place.near[property.name] = isUnset(property, value) ? usual : value;
	}
}

/**
 * The values of a node that has no items, as a trigger has none: an expression that yields nothing, such as a variable that
 * was deleted, means a mistake.
 * @throws {ItemRefusedError} with every problem found
 */
export function readNodeValues(
	context: Pick<IPollFunctions, 'getNode' | 'getTimezone'> & {
		getNodeParameter: (name: string, fallback: null) => unknown;
	},
	properties: INodeProperties[],
	checks: Checks = {},
): ReadResult {
	return readValues(properties, checks, {
		get: (name) => context.getNodeParameter(name, null),
		zone: context.getTimezone(),
		isTool: false,
		blank: {
			saved: context.getNode().parameters,
			judge: (_property, _path, { isByExpression }) =>
				isByExpression ? 'is blank: correct its expression, or remove it' : undefined,
		},
	});
}

/**
 * Whether the panel shows the parameter. A hidden one has no value in n8n and must not be required.
 * @param place has the values of the parameters before: those of the panel are named with a slash
 */
function isShown({ displayOptions }: INodeProperties, { isTool, top, near }: Place): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const valueOf = (name: string) => (name.startsWith('/') ? top[name.slice(1)] : near[name]);
	const holds = ([name, allowed]: [string, unknown[] | undefined]) =>
		allowed?.includes(name === '@tool' ? isTool : valueOf(name));
	return Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
}

/** The value; or undefined, and a problem or a value that the item is sent without. */
function readValue(property: INodeProperties, checks: Checks, around: Place): unknown {
	const { name, displayName } = property;
	const { [name]: check } = checks;
	const { get, isTool, leftOut, problems } = around;
	const label = around.label ? `${around.label} > ${displayName}` : labelOf(property, isTool);
	const raw = get(name);
	try {
		const place = { ...around, label, path: [...around.path, name] };
		const value = convertValue(property, raw, check, place);
		refuseBlank(property, raw, value, place);
		return value;
	} catch (error) {
		// Any error here means that this value is invalid, so the other values are still checked.
		const { message } = toError(error);
		const reason = error instanceof InvalidValueError ? error.reason : message;
		const isAbsent = error instanceof InvalidValueError && error.refusal === 'absent';
		const { leavesOut, asIs } = typeof check === 'function' ? check : {};
		if (leftOut && (leavesOut === 'all' || (leavesOut === 'absent' && isAbsent)))
			leftOut.push({ name, parameter: label, message, reason });
		else problems.push({ parameter: label, message: message + tellWayOut(asIs, raw), reason });
		return undefined;
	}
}

/** What a person can do who means the value. It follows the message. */
export const wayOut = '. To send it anyway, turn on Options > Send As Is';

/** A URL that runs a script stays refused. */
export function tellWayOut(asIs: Check['asIs'], raw: unknown): string {
	try {
		return asIs && typeof raw === 'string' && !convert.isBlank(asIs(raw)) ? wayOut : '';
	} catch {
		return '';
	}
}

/** @throws {InvalidValueError} for what must not be blank, whoever left it blank */
function refuseBlank(
	property: INodeProperties,
	raw: unknown,
	value: unknown,
	{ blank, isTool, path, isInRow }: Place,
): void {
	const isNothing = isMissing(property, value);
	const isAsked = property.required === true && !isInRow;
	if (isAsked ? !isNothing || isSelect(property) : !isNothing && !convert.isBlank(raw)) return;
	const isByExpression = blank !== undefined && isExpression(blank.saved, path);
	const problem = isAsked
		? `is required${isByExpression && !isTool ? ', but its expression is blank' : ''}`
		: blank?.judge(property, path, { isInRow, isByExpression });
	if (problem !== undefined) throw new InvalidValueError(problem);
}

/** A value of the parameter's type. */
function convertValue(
	property: INodeProperties,
	raw: unknown,
	check: Check | Checks | undefined,
	place: Place,
): unknown {
	const checkText = typeof check === 'function' ? check : undefined;
	const checks = typeof check === 'object' ? check : {};
	switch (property.type) {
		case 'collection':
			return readCollection(property, toObject(raw), checks, place);
		case 'fixedCollection':
			return property.typeOptions?.multipleValues
				? readRows(property, toObject(raw), checks, place)
				: readGroup(property, toObject(raw), checks, place);
		case 'number':
			return convert.toBoundedNumber(raw, property);
		case 'boolean':
			return convert.toBoolean(raw);
		case 'options':
			return convert.toChoice(raw, property);
		case 'multiOptions':
			return convert.toChoices(raw, property);
		case 'json':
			return toJsonObject(raw);
		case 'assignmentCollection':
			return toAssignedFields(raw);
		case 'dateTime':
			if (convert.isBlank(raw)) return undefined;
			return readDate(raw, place.zone, property.name === 'endDate' ? 'end' : 'start');
		case 'resourceLocator':
			return convert.toCheckedText(locatorValue(raw), property, checkText);
		default: {
			if (!property.typeOptions?.multipleValues)
				return convert.toCheckedText(raw, property, checkText);
			// A list from an expression is one row: only what people type into a row is split at commas.
			const isOneRow = place.blank && isExpression(place.blank.saved, place.path);
			return convert.toTexts(isOneRow ? [raw] : raw).map((text) => checkText?.(text) ?? text);
		}
	}
}

const locatorValue = (raw: unknown): unknown => (isObject(raw) ? raw.value : raw);

type GroupReader = (
	property: INodeProperties,
	given: IDataObject,
	checks: Checks,
	place: Place,
) => ReadResult;

/** The fields that were added. One without a value is undefined and not sent. */
const readCollection: GroupReader = ({ options = [] }, given, checks, place) => {
	const all = options as INodeProperties[];
	// Several members may have one name, each for other values of a parameter.
	const isAlone = (member: INodeProperties) =>
		all.filter(({ name }) => name === member.name).length === 1;
	const members = all.filter(
		(member) => member.name in given && (isAlone(member) || isShown(member, place)),
	);
	const at = { ...place, get: (name: string) => given[name] };
	return Object.fromEntries(
		members.map((member) => {
			const value = readValue(member, checks, at);
			return [member.name, isMissing(member, value) ? undefined : value];
		}),
	);
};

/** Settings that are one entry. Without the entry, or one whose settings were all removed, there is none. */
const readGroup: GroupReader = ({ options }, { value }, checks, place) => {
	if (value === undefined || value === null) return {};
	const [{ values: members }] = options as [INodePropertyCollection];
	const given = toObject(value);
	const near: ReadResult = {};
	const get = (name: string) => given[name];
	readShown(members, checks, { ...place, get, near, path: [...place.path, 'value'] });
	return { value: near };
};

/**
 * The rows of each list. n8n fills every field of a row, so an empty text is sent as one.
 * A row without any value is invalid: n8n creates such rows from an expression in place of the rows, and they would
 * replace real ones.
 */
const readRows: GroupReader = ({ options }, given, checks, place) => {
	const groups = options as INodePropertyCollection[];
	return Object.fromEntries(
		groups.map(({ name, displayName, values: members }) => {
			const rows = [given[name] ?? []].flat();
			const read = rows.map((row, i) => {
				const label = `${place.label} > ${displayName} ${i + 1}`;
				if (!isObject(row) || isBlankRow(row, members)) {
					place.problems.push({ parameter: label, message: 'is blank: fill it in or remove it' });
					return {};
				}
				const get = (member: string) => row[member];
				const at = { ...place, get, label, path: [...place.path, name, i], isInRow: true };
				return Object.fromEntries(
					members.map((member) => [member.name, readValue(member, checks, at) ?? emptyOf(member)]),
				);
			});
			return [name, read];
		}),
	);
};

function isBlankRow(row: IDataObject, members: INodeProperties[]): boolean {
	return members.every(({ name, type, options = [] }) => {
		const value = row[name];
		if (type === 'boolean') return true;
		if (type === 'resourceLocator') return convert.isBlank(locatorValue(value));
		if (type !== 'fixedCollection') return convert.isBlank(value);
		return !isObject(value) || options.every((group) => !(value as IDataObject)[group.name]);
	});
}

function emptyOf(member: INodeProperties): unknown {
	return member.type === 'string' || member.type === 'resourceLocator' ? '' : member.default;
}

const toObject = (raw: unknown): IDataObject =>
	isObject(raw) ? (raw as IDataObject) : (toJsonObject(raw) ?? {});

const isSelect = ({ type }: INodeProperties): boolean => type === 'boolean' || type === 'options';

function isMissing(property: INodeProperties, value: unknown): boolean {
	return isUnset(property, value) || (Array.isArray(value) && value.length === 0);
}

/** A text may be blank, and a choice may be a tab. */
function isUnset({ type }: INodeProperties, value: unknown): boolean {
	return type === 'string' ? convert.isBlank(value) : value === undefined || value === null;
}
