import type { INodeProperties } from 'n8n-workflow';
import { withStop } from './markdown.mts';
import { operations } from './parameters.mts';

/** A parameter with all that it holds. */
function listNested(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'displayName' in option ? [option] : [];
	});
	return [property, ...inner.flatMap(listNested)];
}

/** The parameters that others depend on, with the choice that the panel begins with. */
const choices = new Map<string, unknown>(
	operations
		.flatMap(({ operation }) => operation.properties.flatMap(listNested))
		.filter(({ type, displayOptions }) => type === 'options' && !displayOptions?.show?.['@tool'])
		.map(({ name, default: usual }) => [name, usual]),
);

/** A parameter, with those that it holds. */
export interface Entry {
	label: string;
	/** As a workflow stores it, below the one that holds it. */
	name: string;
	meaning: string;
	/** Its default, and when the panel shows it: what may differ between operations. */
	usual: string;
	condition: string;
	members: Entry[];
}

export function describeParameter(property: INodeProperties): Entry {
	const { displayName, name, type, options = [], typeOptions, required } = property;
	const parts = [describeMeaning(property), describeValues(property)].filter(Boolean);
	const entry: Entry = {
		label: required ? `${displayName} \\*` : displayName,
		name,
		meaning: parts.map(withStop).join(' '),
		usual: describeDefault(property),
		condition: describeCondition(property),
		members: [],
	};
	if (name.startsWith('metadata')) return { ...entry, meaning: describeMetadata(property) };
	if (type === 'collection')
		return { ...entry, members: (options as INodeProperties[]).map(describeParameter) };
	if (type !== 'fixedCollection') return entry;
	const [group] = options as Array<{ name: string; values: INodeProperties[] }>;
	const row = typeOptions?.multipleValues ? '[]' : '';
	const members = group.values.map(describeParameter);
	return { ...entry, name: `${name}.${group.name}${row}`, members };
}

/** One entry for its fields, whose names say what they are. */
function describeMetadata({ name, options = [] }: INodeProperties): string {
	if (name !== 'metadata') return 'The fields of Metadata.';
	const fields = (options as INodeProperties[]).map(
		({ name: field, typeOptions }) => `\`${field}\`${typeOptions?.multipleValues ? ' list' : ''}`,
	);
	return `For search engines and social networks: ${fields.join(', ')}.`;
}

/**
 * A list, in which the members of a parameter are further in, or in its own line if a few words describe them.
 * @param known members that the page has described, of which the name is enough
 */
export function writeEntries(entries: Entry[], known = new Set<string>(), indent = ''): string {
	return entries
		.flatMap((entry) => {
			const { label, name, meaning, usual, condition, members } = entry;
			const { short = [], long = [] } = Object.groupBy(members, (member) =>
				known.has(identifyMember(member)) || isShort(member) ? 'short' : 'long',
			);
			const inside = short.map((member) => writeMember(member, known)).join(', ');
			for (const each of [entry, ...members]) known.add(identifyMember(each));
			const texts = [meaning, usual, condition, inside && `With ${inside}`];
			const text = texts.filter(Boolean).map(withStop).join(' ');
			const isNamed = name === toName(label);
			const title = isNamed ? `**${label}**` : `**${label}** \`${name}\``;
			const line = `${indent}- ${title}${text && `: ${text}`}`;
			return long.length > 0 ? [line, writeEntries(long, known, `${indent}  `)] : [line];
		})
		.join('\n');
}

/** As a workflow stores it, unless the node says otherwise: `startDate` for Start Date. */
const toName = (label: string): string =>
	label
		.replace(' \\*', '')
		.split(' ')
		.map((word, i) => (i === 0 ? '' : word[0].toUpperCase()) + word.slice(i && 1).toLowerCase())
		.join('');

const identifyMember = ({ label, name, meaning }: Entry): string =>
	[label.replace(' \\*', ''), name, meaning].join();

const isShort = ({ label, name, meaning, usual, condition, members }: Entry): boolean =>
	name === toName(label) && !meaning.includes('. ') && !usual && !condition && !members.length;

/** "URL of the image" for Image URL says no more than its name. */
function writeMember(member: Entry, known: Set<string>): string {
	const { label, name, meaning } = member;
	const word = label.split(' ').at(-1)!.toLowerCase();
	const isPlain = meaning.toLowerCase().startsWith(`${word} `) && meaning.split(' ').length <= 8;
	if (isPlain || known.has(identifyMember(member))) return `\`${name}\``;
	const text = meaning.includes(' > ')
		? meaning
		: meaning.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
	return `\`${name}\` (${text.replace(/\.$/, '')})`;
}

/** Equal parameters may have other defaults, and be shown under other conditions. */
export const identify = ({ usual: _, condition: __, members, ...rest }: Entry): string =>
	JSON.stringify([rest, members.map(identify)]);

/** One parameter for equal ones, with each of their defaults. */
export function mergeEntries([first, ...others]: Entry[]): Entry {
	const other = others.find(({ usual }) => usual !== first.usual);
	if (!other) return first;
	const [more, when] = [other.usual.replace('Default ', ''), other.condition.replace('Only', '')];
	return { ...first, usual: `${first.usual}, or ${more}${when}`, condition: '' };
}

function describeMeaning({ type, description, placeholder, hint }: INodeProperties): string {
	// The placeholder of a collection is its button.
	if (type === 'collection') return description ?? '';
	const text =
		description ?? placeholder?.replace(/^e\.g\. (.+)$/, 'For example `$1`') ?? hint ?? '';
	// What the panel says of each switch and each list to choose from is said once, above the operations.
	return text
		.replace(/^Whether to (.)/, (_, first: string) => first.toUpperCase())
		.replace(/^Choose .+ from the list, or enter (?:its|the) ID\. (.+ returns) .+$/, '$1 it.');
}

/** Which values a parameter accepts, where its meaning does not say it. Most accept text. */
function describeValues(property: INodeProperties): string {
	const { options = [], typeOptions = {}, default: usual } = property;
	const { minValue, maxValue } = typeOptions;
	if (maxValue !== undefined) return `${minValue} to ${maxValue}`;
	const values = options.flatMap((option) =>
		'value' in option
			? [describeChoice(String(option.value), option.name, option.value === usual)]
			: [],
	);
	// The reference has a table of them.
	if (property.name === 'events') return 'See [Events](reference.md#events)';
	// They are those of the record.
	if (property.name === 'outputFields') return '';
	return values.join(', ');
}

function describeDefault({ type, default: usual }: INodeProperties): string {
	const isTold = type === 'json' || type === 'options' || typeof usual === 'object' || usual === '';
	return isTold ? '' : `Default \`${usual}\``;
}

/** With its label, unless that is the same word. */
function describeChoice(value: string, label: string, isDefault: boolean): string {
	const simplify = (text: string) => text.toLowerCase().replaceAll(/[^a-z,;]/g, '');
	const notes = [simplify(label) === simplify(value) ? '' : label, isDefault ? 'default' : ''];
	const told = notes.filter(Boolean).join(', ');
	return told ? `\`${value}\` (${told})` : `\`${value}\``;
}

/** The conditions under which the panel shows the parameter. It is there by default unless there are some. */
function describeCondition({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) {
	const describe = (word: string, conditions: Record<string, unknown[] | undefined>): string => {
		const described = Object.entries(conditions)
			.map(([name, values = []]) => ({ name: name.replace('/', ''), values }))
			.filter(({ name }) => name !== '@tool' && !name.startsWith('person.'))
			.filter(({ name, values }) => values.includes(choices.get(name)) !== (word === 'Only if'))
			.map(({ name, values }) => `\`${name}\` is \`${values.join('` or `')}\``);
		return described.length > 0 ? `${word} ${described.join(' and ')}` : '';
	};
	return [describe('Only if', show), describe('Not if', hide)].filter(Boolean).join('. ');
}
