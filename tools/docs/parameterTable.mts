import type { INodeProperties } from 'n8n-workflow';
import { withStop } from './markdown.mts';

export const tableHead = ['Parameter', 'Name', 'Description'];

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
			[describeMeaning(property), ...describeValues(property), ...describeCondition(property)]
				.filter(Boolean)
				.map(withStop)
				.join(' '),
		],
	];
}

function describeMeaning({ description, placeholder, hint }: INodeProperties): string {
	return description ?? placeholder?.replace(/^e\.g\. (.+)$/, 'For example `$1`') ?? hint ?? '';
}

const kinds: Partial<Record<INodeProperties['type'], string>> = {
	json: 'A JSON object, as text or from an expression',
	multiOptions: 'Any of',
	number: 'A number',
	options: 'One of',
};

/** Which values a parameter accepts, where its meaning does not say it. Most accept text. */
function describeValues({ type, options = [], typeOptions = {}, default: usual }: INodeProperties) {
	const { multipleValues, minValue, maxValue } = typeOptions;
	const choices = options.flatMap((option) =>
		'value' in option ? [describeChoice(String(option.value), option.name)] : [],
	);
	const kind = multipleValues ? 'Several texts' : (kinds[type] ?? '');
	const from = minValue === undefined ? '' : ` from ${minValue}`;
	const to = maxValue === undefined ? '' : ` to ${maxValue}`;
	const hasDefault = type !== 'json' && typeof usual !== 'object' && usual !== '';
	return [
		[kind, choices.join(', ')].filter(Boolean).join(' ') + from + to,
		hasDefault ? `Default \`${usual}\`` : '',
	];
}

/** With its label, unless that is the same word. */
function describeChoice(value: string, label: string): string {
	const isSame =
		label.toLowerCase().replaceAll(/\W/g, '') === value.toLowerCase().replaceAll(/\W/g, '');
	return isSame ? `\`${value}\`` : `\`${value}\` (${label})`;
}

/** The conditions under which the panel shows the parameter, if any. */
function describeCondition({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) {
	const describe = (word: string, conditions: Record<string, unknown[] | undefined>): string => {
		const described = Object.entries(conditions)
			.filter(([name]) => name !== '@tool' && !name.startsWith('person.'))
			.map(([name, values = []]) => `\`${name.replace('/', '')}\` is \`${values.join('` or `')}\``);
		return described.length > 0 ? `${word} ${described.join(' and ')}` : '';
	};
	return [describe(shownWhen, show), describe(shownUnless, hide)];
}

const [shownWhen, shownUnless] = ['Only if', 'Not if'];

/** A row without its conditions: equal parameters may be shown under different ones. */
export const withoutConditions = (row: string[]): string =>
	row.join('|').replace(new RegExp(` (${shownWhen}|${shownUnless}) \`.*$`), '');
