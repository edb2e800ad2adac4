import type { INodeProperties, INodePropertyTypeOptions } from 'n8n-workflow';
import type { Schema } from './document.mts';

export interface ParameterRow {
	/** The label in the panel, with that of its collection. Marked if a value is required. */
	label: string;
	/** The name that a workflow stores. */
	name: string;
	takes: string;
	/** The API's name for it. */
	field: string;
	description: string;
}

/** A row for a parameter, or for each member of one that holds others. */
export function listRows(
	property: INodeProperties,
	isNeeded: boolean,
	schemaOf: (name: string) => Schema | undefined,
	into: { label: string; name: string; field?: string } = { label: '', name: '' },
): ParameterRow[] {
	const { displayName, name, type, options = [], typeOptions } = property;
	const label = into.label + displayName;
	const path = into.name + name;
	if (type === 'collection') {
		const inside = { label: `${label} > `, name: `${path}.` };
		const members = options as INodeProperties[];
		return members.flatMap((member) => listRows(member, false, schemaOf, inside));
	}
	if (type === 'fixedCollection') {
		const [group] = options as Array<{ name: string; values: INodeProperties[] }>;
		const row = typeOptions?.multipleValues ? `${group.name}[]` : group.name;
		const field = into.field ?? name;
		const inside = { label: `${label} > `, name: `${path}.${row}.`, field };
		return group.values.flatMap((member) => listRows(member, false, schemaOf, inside));
	}
	// Fields in the rows of a list have no schema under their own name.
	const schema = into.field === undefined ? schemaOf(name) : undefined;
	return [
		{
			label: isNeeded ? `${label} *` : label,
			name: path,
			takes: describeValues(property, schema) + describeCondition(property),
			field: into.field ?? name,
			description: property.description ?? property.placeholder ?? property.hint ?? '',
		},
	];
}

/** The values that a parameter accepts, e.g. "whole number, 1 or more, default `50`". */
export function describeValues(property: INodeProperties, schema: Schema = {}): string {
	const { type, options = [], typeOptions = {}, default: usual } = property;
	const choices = options.flatMap((option) =>
		'value' in option ? [{ value: `\`${String(option.value)}\``, shown: option.name }] : [],
	);
	const values = choices.map(({ value }) => value).join(', ');
	const kinds: Partial<Record<INodeProperties['type'], string>> = {
		assignmentCollection: 'fields with a name, a type and a value',
		boolean: 'true or false',
		color: 'text',
		dateTime: 'date',
		json: 'JSON object, as text or from an expression',
		multiOptions: `any of ${values}`,
		number: typeOptions.numberPrecision === 0 ? 'whole number' : 'number',
		options: `one of ${choices.map(({ value, shown }) => `${value} (${shown})`).join(', ')}`,
		resourceLocator: describeLocator(property),
	};
	const bounds = [
		schema.maxLength && `${schema.minLength ?? 0} to ${schema.maxLength} characters`,
		schema.minLength && !schema.maxLength && !schema.pattern && 'not empty',
		schema.pattern && type === 'string' && `pattern \`${schema.pattern}\``,
		schema.format === 'uri' && 'a full URL',
		describeRange(typeOptions),
	].filter(Boolean);
	const isSet =
		type !== 'json' && ['string', 'number', 'boolean'].includes(typeof usual) && usual !== '';
	return [
		typeOptions.multipleValues ? 'several texts' : (kinds[type] ?? 'text'),
		...bounds,
		...(isSet ? [`default \`${String(usual)}\``] : []),
	].join(', ');
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
