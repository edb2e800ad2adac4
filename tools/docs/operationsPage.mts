import type { INodeProperties } from 'n8n-workflow';
import { isRepeatable } from '../../nodes/api/request.ts';
import { resources } from '../../nodes/PageAudience/resources/index.ts';
import { listNames, slug, withStop, writeTable } from './markdown.mts';
import { type Pair, pairs } from './pairs.mts';
import { describeOutput, writeRecords } from './recordList.mts';

const head = `# Operations

<!-- \`npm run fix\` generates this page from the node and sandbox/openapi.yaml. -->

What the **Page Audience** node can do, with the requests that it sends. The panel explains the fields. At the end are the
[options](#options) and the [fields of records](#records).

- **Sent once** means not resent after a lost connection, because that could create a duplicate.
- **Output.** A list has one item per record, as the API returned it or simplified. The secrets in the URL of a trigger are \`***\`.
- **Files.** A list as a file is one item with \`records\`, \`totalCount\`, \`fileName\`, \`mimeType\` and the file. A CSV file has
  a column for each field, and \`otherFields\` with the rest.
- **Dates.** \`2026-01-31\`, \`2026-01-31T08:00:00+01:00\`, \`31.01.2026\`, a date from an expression, or seconds or
  milliseconds since 1970. \`01/02/2026\` and years before 1970 or after 2200 are refused.
- **Blank fields** aren't sent. \`false\` and \`0\` are values. In a row, such as an action, a blank field is sent as
  empty.`;

/** The page of all operations, from what the node says of itself and the OpenAPI document of the API. */
export function writeOperationsPage(): string {
	const chapters = resources.flatMap(({ option }) => {
		const own = pairs.filter(({ name }) => name.startsWith(`${option.value}.`));
		const rows = own.map(describeOperation);
		return [`## ${option.name}`, writeTable(['Operation', 'What it does', 'Output'], rows)];
	});
	const rest = [
		'## Options',
		'A switch is on as soon as you add it.',
		describeOptions(),
		'## Records',
		'Simplify keeps the bold fields. Those with a ? can be null.',
		writeRecords(),
	];
	return `${[head, ...chapters, ...rest].join('\n\n')}\n`;
}

/** The README's table of operations, with links to the page. */
export function writeOperationsTable(): string {
	const rows = resources.map(({ option: { name }, operations }) => [
		`[${name}](docs/operations.md#${slug(name)})`,
		operations.map(({ option }) => option.name).join(', '),
	]);
	return writeTable(['Resource', 'Operations'], rows);
}

function describeOperation(pair: Pair): string[] {
	const { option } = pair.operation;
	const requests = listNames(pair.used.map(({ method, path }) => `${method} /v0${path}`));
	const told = [option.description, requests, describeResending(pair)];
	const text = told.filter(Boolean).map(withStop).join(' ');
	return [`**${option.name}**`, text, describeOutput(pair)];
}

/** What reads is not worth a word: its request says so. */
function describeResending({ operation: { uses, writes }, request, parameters }: Pair): string {
	if (!writes || uses) return '';
	if (!isRepeatable(request)) return 'Sent once';
	return 'idempotency' in (parameters.options as object)
		? 'Sent once if it has no idempotency key'
		: '';
}

/** The options of all operations, each once, with where it is. */
function describeOptions(): string {
	const all = pairs.flatMap(({ name, operation }) =>
		operation.properties
			.filter((property) => property.name === 'options')
			.flatMap(({ options = [] }) => options as INodeProperties[])
			.map((option) => ({ option, name })),
	);
	return [...Map.groupBy(all, ({ option }) => option.displayName)]
		.sort(([one], [other]) => one.localeCompare(other))
		.map(([label, group]) => {
			const meaning = (group.at(-1)!.option.description ?? '').replace(
				/^Whether to (.)/,
				capitalize,
			);
			const places = describePlaces(new Set(group.map(({ name }) => name)));
			return `- **${label}**: ${[meaning, places].filter(Boolean).map(withStop).join(' ')}`;
		})
		.join('\n');
}

const capitalize = (_: string, first: string): string => first.toUpperCase();

/** The operations that have an option, unless all have it. */
function describePlaces(names: Set<string>): string {
	const isAll = (some: Pair[]) =>
		some.length === names.size && some.every(({ name }) => names.has(name));
	if (isAll(pairs)) return '';
	if (isAll(pairs.filter(({ operation }) => operation.writes))) return 'In all that write';
	if (isAll(pairs.filter(({ isList }) => isList))) return 'In all lists';
	if (isAll(pairs.filter(({ operation }) => operation.paging))) return 'In all lists with Limit';
	const some = pairs.filter(({ name }) => names.has(name));
	const byResource = [...Map.groupBy(some, ({ resource }) => resource)];
	return `In ${byResource
		.map(
			([resource, own]) =>
				`${resource} (${own.map(({ operation }) => operation.option.name).join(', ')})`,
		)
		.join(', ')}`;
}
