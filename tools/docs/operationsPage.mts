import type { INodeProperties } from 'n8n-workflow';
import { isRepeatable } from '../../nodes/api/request.ts';
import { resources } from '../../nodes/PageAudience/resources/index.ts';
import type { Schema } from './document.mts';
import { listNames, slug, withStop, writeTable } from './markdown.mts';
import { type Pair, pairs } from './pairs.mts';
import { listRows, tableHead, withoutConditions } from './parameterTable.mts';

const head = `# Operations

<!-- \`npm run fix\` generates this page from the node and sandbox/openapi.yaml. -->

Every operation of the **Page Audience** node, with what it sends, its parameters and its output. Parameters that several
operations have are under [Shared parameters](#shared-parameters) and [Options](#options).

- **Name** is the name in saved workflows, and with few exceptions also the API's. Parameters marked * are required.
  Parameters and fields are text, unless noted.
- **Values.** A field without a value isn't sent. \`false\` and \`0\` are values. In a row, such as an action, a blank field is sent
  as \`""\`. A number that JavaScript would round is refused: write it as text. Invisible characters are removed
  from IDs, keys and names.
- **Dates.** \`2026-01-31\`, \`2026-01-31T08:00:00+01:00\`, \`31.01.2026\`, a date from an expression, or a number of seconds or
  milliseconds since 1970. \`01/02/2026\` is refused, because countries read it in different ways. So is a year
  before 1970 or after 2200. An End Date that is a day, as the date picker and \`$today\` give it, includes that whole day.
- **Output.** One item per record, linked to its input item. Without Simplify, it has every field that the API returned,
  unchanged, and with Simplify those named here. n8n rounds whole numbers beyond 2^53 when it reads a response. The secrets
  in the URL of a trigger are \`***\`.
- **Files.** A list as a file is one item with \`records\`, \`totalCount\`, \`fileName\`, \`mimeType\` and the file. A CSV file has a
  column for each field listed here, and \`otherFields\` with the rest.
- **AI tools.** Instead of Simplify, they have Output (\`output\`): \`simplified\`, \`raw\`, or \`selectedFields\` with Output
  Fields (\`outputFields\`).`;

/** The page of all operations, from what the node says of itself and the OpenAPI document of the API. */
export function writeOperationsPage(): string {
	const shared = findSharedRows();
	const withFields = new Map<string, string>();
	const chapters = resources.map(({ option }) => {
		const own = pairs.filter(({ name }) => name.startsWith(`${option.value}.`));
		const described = own.map((pair) => describeOperation(option.name, pair, shared, withFields));
		return [`## ${option.name}`, ...described].join('\n\n');
	});
	const common = [
		'## Shared parameters',
		`Those of lists are ${listLabels.join(', ')}.`,
		writeTable(tableHead, [...shared.values()]),
	];
	return `${[head, ...chapters, ...common, describeOptions()].join('\n\n')}\n`;
}

/** The README's table of operations, with links to the page. */
export function writeOperationsTable(): string {
	const rows = resources.map(({ option: { name }, operations }) => [
		`[${name}](docs/operations.md#${slug(name)})`,
		operations.map(({ option }) => option.name).join(', '),
	]);
	return writeTable(['Resource', 'Operations'], rows);
}

/** The rows of an operation's parameters, without those of Options. */
function listOwnRows({ operation }: Pair): string[][] {
	const forPeople = operation.properties.filter(
		({ name, type, displayOptions }) =>
			type !== 'notice' && name !== 'options' && !displayOptions?.show?.['@tool'],
	);
	return forPeople.flatMap((property) =>
		property.name.startsWith('metadata') ? [describeMetadata(property)] : listRows(property),
	);
}

/** One row for its fields, whose names say what they are. */
function describeMetadata({ displayName, name, options = [] }: INodeProperties): string[] {
	const fields = (options as INodeProperties[]).map(
		({ name: field, typeOptions }) => `\`${field}\`${typeOptions?.multipleValues ? ' list' : ''}`,
	);
	const meaning =
		name === 'metadata'
			? `For search engines and social networks: ${fields.join(', ')}.`
			: 'The fields of Metadata.';
	return [displayName, `\`${name}\``, meaning];
}

/** The rows that several operations have, each once. */
function findSharedRows(): Map<string, string[]> {
	const rowsOf = pairs.map(
		(pair) => new Map(listOwnRows(pair).map((row) => [withoutConditions(row), row])),
	);
	const all = Map.groupBy(
		rowsOf.flatMap((rows) => [...rows]),
		([key]) => key,
	);
	return new Map([...all.values()].filter((rows) => rows.length > 1).map(([first]) => first));
}

const nameWhole = ([label]: string[]): string => label.split(' > ')[0].replace(' *', '');

/** What all lists have. */
const [firstList, ...otherLists] = pairs
	.filter(({ operation }) => operation.paging)
	.map((pair) => new Set(listOwnRows(pair).map(nameWhole)));
const listLabels = [...firstList].filter((label) => otherLists.every((list) => list.has(label)));

function describeOperation(
	resource: string,
	pair: Pair,
	shared: Map<string, string[]>,
	withFields: Map<string, string>,
): string {
	const { option } = pair.operation;
	const title = `${resource}: ${option.name}`;
	const { common = [], own = [] } = Object.groupBy(listOwnRows(pair), (row) =>
		shared.has(withoutConditions(row)) ? 'common' : 'own',
	);
	// Of parameters with members, such as Actions, the name of the whole is enough.
	const names = new Set(common.map(nameWhole));
	if (pair.operation.paging) {
		for (const name of listLabels) names.delete(name);
		names.add('those of lists');
	}
	const endpoints = pair.used.map(({ method, path }) => `\`${method} /v0${path}\``).join(', ');
	return [
		`### ${title}`,
		withStop(option.description),
		`${endpoints}. ${describeEffect(pair)}`,
		...(own.length > 0 ? [writeTable(tableHead, own)] : []),
		...(names.size > 0 ? [`**Shared parameters**: ${[...names].join(', ')}.`] : []),
		describeOutput(title, pair, withFields),
	].join('\n\n');
}

function describeEffect({ operation: { uses, writes }, request, parameters }: Pair): string {
	if (uses) {
		const differs = writes?.outcomes?.includes('updated') ? ' or differs' : '';
		return writes ? `Looks first, and writes only what is missing${differs}.` : 'Reads.';
	}
	if (request.method === 'GET') return 'Reads.';
	if (!isRepeatable(request))
		return 'Writes. Not resent automatically if the first attempt may have succeeded.';
	const condition = 'idempotency' in parameters ? ' if it has an idempotency key' : '';
	return `Writes. Resent after a lost connection${condition}.`;
}

/** @param withFields the first operation with these fields: those after it refer to it */
function describeOutput(
	title: string,
	{ operation, record, isList }: Pair,
	withFields: Map<string, string>,
): string {
	const { properties } = operation;
	const { shape, adds = {}, isOwn } = operation.output ?? {};
	const fields = listFields(record);
	const first = withFields.get(fields);
	const sentences = [
		`**Output**: ${isList ? 'one item per record' : 'one item'}.`,
		first === undefined ? `Fields: ${fields}.` : `Fields: as in [${first}](#${slug(first)}).`,
	];
	if (first === undefined) withFields.set(fields, title);
	const added = Map.groupBy(Object.entries(isOwn ? {} : adds), ([, field]) => field.requires);
	for (const [label, fields] of added) {
		const names = listNames(fields.map(([name]) => name));
		sentences.push(`${label === undefined ? 'Added by the node' : `With ${label}`}: ${names}.`);
	}
	// The same record has the same simplified fields.
	if (shape?.simplified && first === undefined) {
		const isOn = properties.find(({ name }) => name === 'simplify')?.default === true;
		const names = listNames([...shape.simplified]);
		sentences.push(`With Simplify (${isOn ? 'on' : 'off'} by default): ${names}.`);
	}
	return sentences.join(' ');
}

/** `domain`, `name` or null, `linkedPersons` list (`personId`, …). */
function listFields({ properties = {} }: Schema): string {
	const fields = Object.entries(properties).map(([name, schema]) => {
		const members = Object.keys((schema.items ?? schema).properties ?? {});
		// Longer ones have a table or an output of their own.
		const inside = members.length > 0 && members.length <= 10 ? ` (${listNames(members)})` : '';
		return [`\`${name}\``, describeType(schema)].filter(Boolean).join(' ') + inside;
	});
	return fields.join(', ');
}

/** Most fields are text, which needs no word. */
function describeType({ type, enum: choices }: Schema): string {
	const words: Record<string, string> = {
		string: choices ? `one of ${listNames(choices.filter(Boolean))}` : '',
		integer: 'whole number',
		array: 'list',
		boolean: 'true or false',
		null: 'or null',
	};
	return [type ?? []]
		.flat()
		.map((each) => words[each] ?? each)
		.filter(Boolean)
		.join(' ');
}

/** The options of all operations, each once, with where it is. */
function describeOptions(): string {
	const all = pairs.flatMap(({ name, operation }) =>
		operation.properties
			.filter((property) => property.name === 'options')
			.flatMap(({ options = [] }) => options as INodeProperties[])
			.map((option) => ({ option, name })),
	);
	const rows = [...Map.groupBy(all, ({ option }) => option.name).values()]
		.sort(([one], [other]) => one.option.displayName.localeCompare(other.option.displayName))
		.map((group) => [
			...listRows(withoutDefault(group[0].option), '', 'options.')[0],
			describePlaces(new Set(group.map(({ name }) => name))),
		]);
	return [
		'## Options',
		'An option that is true or false is on when you add it. Without it, only Escape Formulas is on.',
		writeTable([...tableHead, 'In'], rows),
	].join('\n\n');
}

/** The default of a switch is its value when it is added, not that of a node without it. */
function withoutDefault(option: INodeProperties): INodeProperties {
	return option.type === 'boolean' ? { ...option, default: '' } : option;
}

/** The operations that have an option, in a word where there is one. */
function describePlaces(names: Set<string>): string {
	const isAll = (some: Pair[]) =>
		some.length === names.size && some.every(({ name }) => names.has(name));
	if (isAll(pairs)) return 'All operations';
	if (isAll(pairs.filter(({ operation }) => operation.writes))) return 'All that write';
	if (isAll(pairs.filter(({ operation }) => operation.paging))) return 'All lists';
	const some = pairs.filter(({ name }) => names.has(name));
	return some.map(({ label }) => label).join(', ');
}
