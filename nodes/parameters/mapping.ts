import { DateTime } from 'luxon';
import { type IDataObject, isSafeObjectProperty } from 'n8n-workflow';
import { isObject } from '../runtime/unknown';
import { writeDate } from './convert';
import { refuseItem } from './problem';

/**
 * Asks n8n for a value of the parameter.
 * @param path e.g. `person.email`, or `payloadFields.assignments[0].value`
 */
type Evaluate = (path: string) => unknown;

/** The value of a parameter for one item, with expressions resolved. */
type ParameterReader = (json: IDataObject, evaluate: Evaluate) => unknown;

/**
 * n8n takes 0.3 ms and more for each expression of each item. Most expressions are what dragging a field into the panel
 * writes, such as `={{ $json.email }}`. These are read from the item itself, where that certainly yields the same. n8n
 * evaluates all others.
 * @param saved the parameter's value in the workflow, with expressions unresolved
 */
export function compileParameter(saved: unknown, path: string): ParameterReader {
	if (!isDivisible(saved)) return (_, evaluate) => evaluate(path);
	return compile(saved, path, keep);
}

/** Whether n8n yields the same for the parts of a value as for all of it. */
function isDivisible(saved: unknown): boolean {
	// An expression may name the fields beside it, such as `$parameter["&email"]`, which n8n knows only as a whole.
	if (/arameter|\\u/.test(JSON.stringify(saved) ?? '')) return false;
	return hasPlainNames(saved);
}

/** A path cannot lead to a name with a dot or a bracket in it. */
function hasPlainNames(saved: unknown): boolean {
	if (Array.isArray(saved)) return saved.every(hasPlainNames);
	if (!isObject(saved)) return true;
	return Object.entries(saved).every(
		([name, each]) => /^[A-Za-z_]\w*$/.test(name) && name !== '__proto__' && hasPlainNames(each),
	);
}

function compile(
	saved: unknown,
	path: string,
	convert: (value: unknown) => unknown,
): ParameterReader {
	if (typeof saved === 'string' && saved.startsWith('=')) {
		const steps = readSteps(saved);
		return (json, evaluate) => {
			const found = steps ? follow(json, steps) : undecided;
			return found === undecided ? convert(evaluate(path)) : found;
		};
	}
	if (Array.isArray(saved)) {
		const readers = saved.map((each, i) => compile(each, `${path}[${i}]`, keep));
		return (json, evaluate) => readers.map((read) => read(json, evaluate));
	}
	if (!isObject(saved)) return () => saved;
	const readers = Object.entries(saved).map(
		([name, each]) => [name, compile(each, `${path}.${name}`, toMember)] as const,
	);
	return (json, evaluate) =>
		Object.fromEntries(readers.map(([name, read]) => [name, read(json, evaluate)]));
}

function keep(value: unknown): unknown {
	return value;
}

/** n8n turns a date into text where it is a member of a collection, but not a copy without methods. */
function toMember(value: unknown): unknown {
	return DateTime.isDateTime(value) ? (writeDate(value) ?? value) : value;
}

/** As the editor writes it: `.name`, `['a name']`, `["a name"]` or `[0]`, once or more. */
const plainExpression =
	/^=\{\{ *\$json((?:\.[A-Za-z_]\w*|\[(?:\d{1,9}|'[^'\\{}\p{Cc}\u2028\u2029]*'|"[^"\\{}\p{Cc}\u2028\u2029]*")\])+) *\}\}$/u;

const plainStep = /\.(\w+)|\[(?:(\d+)|'([^']*)'|"([^"]*)")\]/gu;

/** @returns undefined for an expression that n8n must evaluate */
function readSteps(expression: string): string[] | undefined {
	const [, path] = plainExpression.exec(expression) ?? [];
	if (path === undefined || !path.isWellFormed()) return undefined;
	const steps = [...path.matchAll(plainStep)].map(([, ...names]) => names.find(isDefined) ?? '');
	return steps.every(isOrdinary) ? steps : undefined;
}

/** The fields of the input item that a parameter is mapped from, as dragging them into the panel writes it. */
export function listMappedFields(saved: unknown): string[] {
	if (typeof saved === 'string') return readSteps(saved)?.slice(0, 1) ?? [];
	if (typeof saved !== 'object' || saved === null) return [];
	return Object.values(saved).flatMap(listMappedFields);
}

function isDefined(name: string | undefined): name is string {
	return name !== undefined;
}

/**
 * A name that means nothing else to JavaScript or n8n, which refuses some, such as `constructor`, and keeps those with
 * two underscores for itself. An index has no leading zero, which would make it octal.
 */
function isOrdinary(name: string): boolean {
	return (
		isSafeObjectProperty(name) &&
		!(name in Object.prototype) &&
		!name.includes('constructor') &&
		name !== 'globalThis' &&
		!name.startsWith('__') &&
		!/^0\d+$/.test(name)
	);
}

const undecided = Symbol('n8n must evaluate the expression');

function follow(json: IDataObject, steps: string[]): unknown {
	let value: unknown = json;
	for (const step of steps) {
		if (value === undefined || value === null) return undefined;
		if (!isPlain(value) || (Array.isArray(value) && !/^\d+$/.test(step))) return undecided;
		if (!Object.hasOwn(value, step)) return refuseMarked(value, step);
		value = (value as IDataObject)[step];
	}
	return isPrimitive(value) ? value : undecided;
}

/**
 * A name that is not there has no value. But a CSV file that was read with its byte order mark has the mark in the name
 * of its first column, and everything would be sent without that column.
 */
function refuseMarked(value: object, name: string): undefined {
	if (Object.hasOwn(value, `\ufeff${name}`))
		refuseItem(
			`{{ $json['${name}'] }}`,
			'has no value, because the name of this field begins with an invisible byte order mark: turn on Exclude Byte Order Mark (BOM) in the node that reads the file, or drag the field into the panel again',
		);
	return undefined;
}

/** An object or array without a class, whose inherited names are JavaScript's own. */
function isPlain(value: unknown): value is object {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === (Array.isArray(value) ? Array.prototype : Object.prototype);
}

function isPrimitive(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		typeof value === 'string' ||
		typeof value === 'boolean' ||
		Number.isFinite(value)
	);
}

/** The names and places that lead to a value. */
export type ValuePath = ReadonlyArray<number | string>;

/**
 * Whether the panel has an expression for a value, or for something around it.
 * @param saved the parameters in the workflow
 * @param path the names and places that lead to the value
 */
export function isExpression(saved: unknown, path: ValuePath): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	if (typeof saved !== 'object' || saved === null) return false;
	// The editor keeps the name of a chosen record beside its ID.
	const [name = '__rl' in saved ? 'value' : undefined, ...rest] = path;
	return name !== undefined && isExpression(Reflect.get(saved, name), rest);
}

/**
 * An expression that n8n sends as it is, because its field is set to Fixed: so every item has the same email or key.
 * @param saved the parameter's value in the workflow
 */
export function findUnevaluated(saved: unknown): string | undefined {
	if (typeof saved === 'string')
		return saved.startsWith('=') ? undefined : /\{\{\s*\$(?:(?!\}\}).)*(?:\}\})?/s.exec(saved)?.[0];
	if (typeof saved !== 'object' || saved === null) return undefined;
	// The editor keeps the name of a chosen record beside its ID.
	const parts = '__rl' in saved ? [Reflect.get(saved, 'value')] : Object.values(saved);
	return parts.map(findUnevaluated).find((found) => found !== undefined);
}
