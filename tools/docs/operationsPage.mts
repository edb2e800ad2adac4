import type { INodeProperties } from 'n8n-workflow';
import { isRepeatable } from '../../nodes/api/request.ts';
import { resources } from '../../nodes/PageAudience/resources/index.ts';
import { slug, withStop, writeTable } from './markdown.mts';
import { type Pair, pairs } from './pairs.mts';
import {
	describeParameter,
	type Entry,
	identify,
	mergeEntries,
	writeEntries,
} from './parameterList.mts';
import { describeOutput, writeRecords } from './recordList.mts';

const head = `# Operations

<!-- \`npm run fix\` generates this page from the node and sandbox/openapi.yaml. -->

Every operation of the **Page Audience** node. [Shared parameters](#shared-parameters), [options](#options) and
[fields of records](#records) are at the end.

- **Names.** A saved workflow has \`filters.startDate\` for **Filters > Start Date**. Another name stands behind the label,
  with \`value\` where several settings are one entry of Options. Parameters marked \\* are required. What belongs to a default choice, such as Using Fields Below, is hidden with
  other choices.
- **Requests** are resent after a lost connection, unless noted. *Sent once* means not resent automatically.
- **Values** are text, unless noted. Records can also be given by ID. A field without a value isn't sent. \`false\`
  and \`0\` are values. In a row, a blank field is sent as \`""\`, except the Action ID. Invisible characters
  are removed from IDs, keys and names.
- **Dates.** \`2026-01-31\`, \`2026-01-31T08:00:00+01:00\`, \`31.01.2026\`, a date from an expression, or seconds or
  milliseconds since 1970. \`01/02/2026\` and years before 1970 or after 2200 are refused.
- **Output.** A list has one item per record. Each item is linked to its input item, and has what the API returned,
  unchanged. n8n rounds whole numbers beyond 2^53. The secrets in the URL of a trigger are \`***\`.
- **Files.** A list as a file is one item with \`records\`, \`totalCount\`, \`fileName\`, \`mimeType\` and the file. A CSV file has
  a column for each field, or for those of Output Fields, and \`otherFields\` with the rest.
- **AI tools** have Output (\`output\`) instead of Simplify: \`simplified\`, \`raw\`, or \`selectedFields\` with Output Fields
  (\`outputFields\`). A list ends at about 50,000 characters. A last item has the hints, as \`notes\`.`;

/** The page of all operations, from what the node says of itself and the OpenAPI document of the API. */
export function writeOperationsPage(): string {
	const known = new Set<string>();
	const chapters = resources.map(({ name: label, value }) => {
		const own = pairs.filter(({ name }) => name.startsWith(`${value}.`));
		return [`## ${label}`, ...own.map((pair) => describeOperation(pair, known))];
	});
	const rest = [
		'## Shared parameters',
		`*Lists* have ${listLabels.join(', ')}.`,
		writeEntries([...shared.values()], known),
		'## Options',
		`A switch is on as soon as you add it. Without it, it is off. Only Escape Formulas is on until you turn it off.`,
		writeEntries(describeOptions()),
		'## Records',
		'Simplify keeps the bold fields. Those with a ? can be null.',
		writeRecords(),
	];
	return `${[head, ...chapters.flat(), ...rest].join('\n\n')}\n`;
}

/** The README's table of operations, with links to the page. */
export function writeOperationsTable(): string {
	const rows = resources.map(({ name, operations }) => [
		`[${name}](docs/operations.md#${slug(name)})`,
		operations.map((operation) => operation.name).join(', '),
	]);
	return writeTable(['Resource', 'Operations'], rows);
}

/** An operation's parameters, without Options. */
function listOwn({ operation }: Pair): Entry[] {
	const forPeople = operation.properties.filter(
		({ name, type, displayOptions }) =>
			type !== 'notice' && name !== 'options' && !displayOptions?.show?.['@tool'],
	);
	return forPeople.map(describeParameter);
}

/** The parameters that several operations have, each once. */
const shared = new Map(
	[...Map.groupBy(pairs.flatMap(listOwn), identify)]
		.filter(([, entries]) => entries.length > 1)
		.map(([key, entries]) => [key, mergeEntries(entries)]),
);

const plainLabel = ({ label }: Entry): string => label.replace(' \\*', '');

/** What all lists have. */
const [firstList, ...otherLists] = pairs
	.filter(({ operation }) => operation.paging)
	.map((pair) => new Set(listOwn(pair).map(plainLabel)));
const listLabels = [...firstList].filter((label) => otherLists.every((list) => list.has(label)));

function describeOperation(pair: Pair, known: Set<string>): string {
	const { name: label, description, paging } = pair.operation;
	const { common = [], own = [] } = Object.groupBy(listOwn(pair), (entry) =>
		shared.has(identify(entry)) ? 'common' : 'own',
	);
	const names = new Set(common.map(plainLabel));
	if (paging) {
		for (const label of listLabels) names.delete(label);
		names.add('*lists*');
	}
	const endpoints = pair.used.map(({ method, path }) => `\`${method} /v0${path}\``).join(', ');
	return [
		`### ${pair.resource}: ${label}`,
		[withStop(description), `${endpoints}.`, describeResending(pair)].filter(Boolean).join(' '),
		...(own.length > 0 ? [writeEntries(own, known)] : []),
		...(names.size > 0 ? [`**Shared**: ${[...names].join(', ')}.`] : []),
		`**Output**: ${describeOutput(pair)}.`,
	].join('\n\n');
}

/** What reads is not worth a word: its request says so. */
function describeResending({ operation: { uses, writes }, request, parameters }: Pair): string {
	if (!writes) return '';
	if (uses) {
		const differs = writes.outcomes?.includes('updated') ? ' or differs' : '';
		return `Looks first, and writes only what is missing${differs}.`;
	}
	if (!isRepeatable(request)) return 'Sent once.';
	return 'idempotency' in (parameters.options as object)
		? 'Resent only with an idempotency key.'
		: '';
}

/** The options of all operations, each once, with where it is. */
function describeOptions(): Entry[] {
	const all = pairs.flatMap(({ name, operation }) =>
		operation.properties
			.filter((property) => property.name === 'options')
			.flatMap(({ options = [] }) => options as INodeProperties[])
			.map((option) => ({ option, name })),
	);
	return [...Map.groupBy(all, ({ option }) => option.name).values()]
		.sort(([one], [other]) => one.option.displayName.localeCompare(other.option.displayName))
		.map((group) => {
			// Of a group, the lists have a field more.
			const { option } = group.reduce((most, each) =>
				sizeOf(each.option) > sizeOf(most.option) ? each : most,
			);
			const entry = describeParameter(option);
			// The default of a switch is its value when it is added, not that of a node without it.
			const usual = option.type === 'boolean' ? '' : entry.usual;
			const places = describePlaces(new Set(group.map(({ name }) => name)));
			// Of a group, its settings say more.
			const meaning = option.type === 'fixedCollection' ? '' : entry.meaning;
			return { ...entry, meaning, usual, condition: entry.condition || places };
		});
}

const sizeOf = (option: INodeProperties): number => JSON.stringify(option).length;

/** The operations that have an option, unless all have it. */
function describePlaces(names: Set<string>): string {
	const isAll = (some: Pair[]) =>
		some.length === names.size && some.every(({ name }) => names.has(name));
	if (isAll(pairs)) return '';
	if (isAll(pairs.filter(({ operation }) => operation.writes))) return 'In all that write';
	if (isAll(pairs.filter(({ isList }) => isList))) return 'In all lists';
	if (isAll(pairs.filter(({ operation }) => operation.paging))) return 'In *lists*';
	const some = pairs.filter(({ name }) => names.has(name));
	const [{ resource }] = some;
	if (isAll(pairs.filter((pair) => pair.resource === resource))) return `In ${resource}`;
	return `In ${some.map(({ label }) => label).join(', ')}`;
}
