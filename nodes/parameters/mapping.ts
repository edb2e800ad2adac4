import { type IDataObject, isSafeObjectProperty } from 'n8n-workflow';
import { isObject } from '../runtime/unknown';
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
 * writes, such as `={{ $json.email }}`. These are read from the item itself. n8n evaluates all others.
 * @param saved the parameter's value in the workflow, with expressions unresolved
 */
export function compileParameter(saved: unknown, path: string): ParameterReader {
	return isDivisible(saved) ? compile(saved, path) : (_, evaluate) => evaluate(path);
}

/**
 * Whether n8n yields the same for the parts of a value as for all of it. An expression may name the fields beside it, such
 * as `$parameter["&email"]`, and a path cannot lead to a name with a dot or a bracket in it.
 */
function isDivisible(saved: unknown): boolean {
	if (typeof saved === 'string') return !/arameter|\\u/.test(saved);
	if (typeof saved !== 'object' || saved === null) return true;
	return Object.entries(saved).every(
		([name, each]) => /^(?!__proto__)\w+$/.test(name) && isDivisible(each),
	);
}

function compile(saved: unknown, path: string): ParameterReader {
	if (typeof saved === 'string' && saved.startsWith('=')) {
		const field = findField(saved);
		if (field === undefined) return (_, evaluate) => evaluate(path);
		return (json, evaluate) => {
			if (!Object.hasOwn(json, field)) return refuseMarked(json, field);
			const { [field]: value } = json;
			return isPlainValue(value) ? value : evaluate(path);
		};
	}
	if (Array.isArray(saved)) {
		const readers = saved.map((each, i) => compile(each, `${path}[${i}]`));
		return (json, evaluate) => readers.map((read) => read(json, evaluate));
	}
	if (!isObject(saved)) return () => saved;
	const readers = Object.entries(saved).map(
		([name, each]) => [name, compile(each, `${path}.${name}`)] as const,
	);
	return (json, evaluate) =>
		Object.fromEntries(readers.map(([name, read]) => [name, read(json, evaluate)]));
}

/** As the editor writes a field of the item: `$json.name`, `$json['a name']` or `$json["a name"]`. */
const fieldExpression =
	/^=\{\{ *\$json(?:\.([A-Za-z_]\w*)|\['([^'\\{}\p{Cc}\u2028\u2029]*)'\]|\["([^"\\{}\p{Cc}\u2028\u2029]*)"\]) *\}\}$/u;

/** @returns undefined for an expression that n8n must evaluate */
function findField(expression: string): string | undefined {
	const [, ...names] = fieldExpression.exec(expression) ?? [];
	const name = names.find((each) => each !== undefined);
	return name !== undefined && isOrdinary(name) ? name : undefined;
}

/** A name that means nothing else to JavaScript or n8n, which refuses some and keeps those with two underscores for itself. */
function isOrdinary(name: string): boolean {
	const isOfLanguage = name in Object.prototype || !isSafeObjectProperty(name);
	return !isOfLanguage && !/constructor|^globalThis$|^__/.test(name) && name.isWellFormed();
}

/** What n8n yields as it is. It makes copies of all others. */
function isPlainValue(value: unknown): boolean {
	const isSimple = ['undefined', 'string', 'boolean'].includes(typeof value);
	return isSimple || value === null || Number.isFinite(value);
}

/**
 * A name that is not there has no value. But a CSV file that was read with its byte order mark has the mark in the name
 * of its first column, and everything would be sent without that column.
 */
function refuseMarked(json: IDataObject, name: string): undefined {
	if (Object.hasOwn(json, `\ufeff${name}`))
		refuseItem(
			`{{ $json['${name}'] }}`,
			'has no value, because the name of this field begins with an invisible byte order mark: turn on Exclude Byte Order Mark (BOM) in the node that reads the file, or drag the field into the panel again',
		);
	return undefined;
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
	const parts = '__rl' in saved ? [Reflect.get(saved, 'value')] : Object.values(saved);
	return parts.map(findUnevaluated).find((found) => found !== undefined);
}
