import type { INodeProperties } from 'n8n-workflow';

export const tableHead = ['Parameter', 'Name', 'Accepts', 'Description'];

/** A row for a parameter, or for each member of one that holds others. */
export function listRows(property: INodeProperties, inLabel = '', inName = ''): string[][] {
	const { displayName, name, type, options = [], typeOptions, required } = property;
	const label = inLabel + displayName;
	const path = inName + name;
	if (type === 'collection') {
		const members = options as INodeProperties[];
		return members.flatMap((member) => listRows(member, `${label} > `, `${path}.`));
	}
	if (type === 'fixedCollection') {
		const [group] = options as Array<{ name: string; values: INodeProperties[] }>;
		const row = typeOptions?.multipleValues ? `${group.name}[]` : group.name;
		return group.values.flatMap((member) => listRows(member, `${label} > `, `${path}.${row}.`));
	}
	return [
		[
			required ? `${label} *` : label,
			`\`${path}\``,
			describeValues(property) + describeCondition(property),
			property.description ?? describeExample(property.placeholder) ?? property.hint ?? '',
		],
	];
}

/** A placeholder such as "e.g. true". */
const describeExample = (placeholder?: string): string | undefined =>
	placeholder?.replace(/^e\.g\. (.+)$/, 'For example `$1`');

const kinds: Partial<Record<INodeProperties['type'], string>> = {
	assignmentCollection: 'fields with a name, a type and a value',
	boolean: 'true or false',
	dateTime: 'date',
	json: 'JSON object, as text or from an expression',
	multiOptions: 'any of',
	number: 'number',
	options: 'one of',
	resourceLocator: 'a record from the list, or its ID',
};

/** The values that a parameter accepts, e.g. "number from 1 to 100, default `10`". */
function describeValues({ type, options = [], typeOptions = {}, default: usual }: INodeProperties) {
	const { multipleValues, minValue, maxValue } = typeOptions;
	const choices = options.flatMap((option) =>
		'value' in option ? [`\`${String(option.value)}\` (${option.name})`] : [],
	);
	const kind = multipleValues ? 'several texts' : (kinds[type] ?? 'text');
	const from = minValue === undefined ? '' : ` from ${minValue}`;
	const to = maxValue === undefined ? '' : ` to ${maxValue}`;
	const values = [kind, choices.join(', ')].filter(Boolean).join(' ') + from + to;
	const hasDefault = type !== 'json' && typeof usual !== 'object' && usual !== '';
	return hasDefault ? `${values}, default \`${usual}\`` : values;
}

/** The condition under which the panel shows the parameter, if any. */
function describeCondition({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) {
	const describe = (word: string, conditions: Record<string, unknown[] | undefined>): string => {
		const described = Object.entries(conditions)
			.filter(([name]) => name !== '@tool' && !name.startsWith('person.'))
			.map(([name, values = []]) => `\`${name.replace('/', '')}\` is \`${values.join('` or `')}\``);
		return described.length > 0 ? ` (${word} ${described.join(' and ')})` : '';
	};
	return describe('when', show) + describe('unless', hide);
}
