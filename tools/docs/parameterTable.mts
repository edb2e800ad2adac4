import type { INodeProperties, INodePropertyTypeOptions } from 'n8n-workflow';
import type { Schema } from './document.mts';
import { writeTable } from './markdown.mts';
import type { Pair } from './pairs.mts';
import { isRefusedWithout } from './parameters.mts';

interface ParameterRow {
	/** The label in the panel, behind that of its collection. */
	label: string;
	/** The name that a workflow stores. */
	name: string;
	takes: string;
	description: string;
}

/** An operation's parameters. The options, which operations share, are only named. */
export function writeParameterTable(pair: Pair, properties: INodeProperties[]): string {
	const { operation, parameters, found } = pair;
	const schemas = { ...found[0].query, ...found[0].body?.properties };
	const rows = properties.flatMap((property) => {
		const { name, displayName, required } = property;
		if (name === 'options') return [nameOptions(property)];
		const isNeeded = required === true || isRefusedWithout(operation, parameters, name);
		const marked = isNeeded ? { ...property, displayName: `${displayName} *` } : property;
		return listRows(marked, schemas).map((row) => [
			row.label,
			`\`${row.name}\``,
			row.takes,
			row.description,
		]);
	});
	return writeTable(['Parameter', 'Name', 'Accepts', 'Description'], rows);
}

function nameOptions({ displayName, name, options = [] }: INodeProperties): string[] {
	const labels = (options as INodeProperties[]).map((option) => option.displayName);
	return [displayName, `\`${name}\``, labels.join(', '), 'See [Options](#options)'];
}

/** A row for a parameter, or for each member of one that holds others. */
export function listRows(
	property: INodeProperties,
	schemas: Record<string, Schema> = {},
	into = { label: '', name: '' },
): ParameterRow[] {
	const { displayName, name, type, options = [], typeOptions } = property;
	const label = into.label + displayName;
	const path = into.name + name;
	if (type === 'collection') {
		const inside = { label: `${label} > `, name: `${path}.` };
		return (options as INodeProperties[]).flatMap((each) => listRows(each, schemas, inside));
	}
	if (type === 'fixedCollection') {
		const [group] = options as Array<{ name: string; values: INodeProperties[] }>;
		const row = typeOptions?.multipleValues ? `${group.name}[]` : group.name;
		const inside = { label: `${label} > `, name: `${path}.${row}.` };
		// A field in a row has another schema than one of the same name beside the rows.
		return group.values.flatMap((member) => listRows(member, {}, inside));
	}
	return [
		{
			label,
			name: path,
			takes: describeValues(property, schemas[name]) + describeCondition(property),
			description: property.description ?? property.placeholder ?? property.hint ?? '',
		},
	];
}

/** The values that a parameter accepts, e.g. "whole number, 1 or more, default `50`". */
function describeValues(property: INodeProperties, schema: Schema = {}): string {
	const { type, options = [], typeOptions = {}, default: usual } = property;
	const choices = options.flatMap((option) =>
		'value' in option ? [{ value: `\`${String(option.value)}\``, shown: option.name }] : [],
	);
	const kinds: Partial<Record<INodeProperties['type'], string>> = {
		assignmentCollection: 'fields with a name, a type and a value',
		boolean: 'true or false',
		dateTime: 'date',
		json: 'JSON object, as text or from an expression',
		multiOptions: `any of ${choices.map(({ value }) => value).join(', ')}`,
		number: typeOptions.numberPrecision === 0 ? 'whole number' : 'number',
		options: `one of ${choices.map(({ value, shown }) => `${value} (${shown})`).join(', ')}`,
		resourceLocator: describeLocator(property),
	};
	const isSet =
		type !== 'json' && ['string', 'number', 'boolean'].includes(typeof usual) && usual !== '';
	return [
		typeOptions.multipleValues ? 'several texts' : (kinds[type] ?? 'text'),
		schema.maxLength && `${schema.minLength ?? 0} to ${schema.maxLength} characters`,
		schema.minLength && !schema.maxLength && !schema.pattern && 'not empty',
		schema.pattern && type === 'string' && `pattern \`${schema.pattern}\``,
		schema.format === 'uri' && 'a full URL',
		describeRange(typeOptions),
		isSet && `default \`${String(usual)}\``,
	]
		.filter(Boolean)
		.join(', ');
}

function describeLocator({ modes = [] }: INodeProperties): string {
	const hint = modes.map((mode) => mode.hint).find((each) => typeof each === 'string');
	return hint
		? `a record from the list, ${hint.charAt(0).toLowerCase()}${hint.slice(1)}`
		: 'a record from the list, or its ID';
}

function describeRange({ minValue, maxValue }: INodePropertyTypeOptions): string | undefined {
	if (minValue === undefined) return maxValue === undefined ? undefined : `${maxValue} or less`;
	return maxValue === undefined ? `${minValue} or more` : `${minValue} to ${maxValue}`;
}

/** The condition under which the panel shows the parameter, if any. */
function describeCondition({ displayOptions }: INodeProperties): string {
	const [shown, hidden] = [displayOptions?.show, displayOptions?.hide].map((conditions = {}) =>
		Object.entries(conditions)
			.filter(([name]) => name !== '@tool' && !name.startsWith('person.'))
			.map(
				([name, values = []]) =>
					`\`${name.replace(/^\//, '')}\` is \`${values.map(String).join('` or `')}\``,
			)
			.join(' and '),
	);
	return (shown ? ` (when ${shown})` : '') + (hidden ? ` (unless ${hidden})` : '');
}
