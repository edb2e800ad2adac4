import type { INodeProperties } from 'n8n-workflow';
import { isRepeatable } from '../../nodes/api/request.ts';
import { resources } from '../../nodes/PageAudience/resources/index.ts';
import type { Schema } from './document.mts';
import { listNames, slug, withStop, writeTable } from './markdown.mts';
import { type Pair, pairs } from './pairs.mts';
import { listRows, tableHead } from './parameterTable.mts';

const head = `# Operations

<!-- \`npm run fix\` generates this page from the node and sandbox/openapi.yaml. -->

Every operation of the **Page Audience** node, with its endpoint, parameters, request and output.
Where the API documents no values, the nodes send your text unchanged.

**Requests.** Parameters without a value are not sent; \`false\` and \`0\` are values. A blank field of a row, such as an
action or a link target, is sent as \`""\`, except the Action ID of a new action. The node adds only the defaults shown
here, the page size, the idempotency key, and what the API requires: an empty \`payload\` of a log, and empty lists of
widgets and scripts for a new page. It removes surrounding spaces from IDs, dates, event kinds,
\`source\`, \`type\`, flags and keys. The values of a person and an account are [read](sync.md#values-of-a-person): names
without blanks around them, a domain out of a URL or an email address. Other texts, scripts and JSON are sent unchanged. A
number that JavaScript would round, such as \`23851234567890123\`, is rejected: write it as text, in quotes.

**Dates.** A date is ISO 8601 or SQL text, such as \`2026-01-31\` or \`2026-01-31T08:00:00+01:00\`, or a date from an
expression. A number, or text of digits, is a year, a day (\`20260131\`), or seconds or milliseconds since 1970 between
2000 and 2099.

**Output.** One n8n item per record, linked to its input item. Without Simplify, a record has every field that the API
returned, even those that are not listed here, and the fields that the node adds. The values are unchanged, with two
exceptions. The secrets in the URL of a trigger are \`***\`. A number that JavaScript would round, such as
\`23851234567890123\`, is rounded by n8n while it parses the response, in files too.

**Files.** With Output As set to a file, a list becomes one item with \`records\` and \`totalCount\` (their number in the
file and in the service), \`fileName\`, \`mimeType\` and a binary file. A CSV file has a column for each field that is
listed here, and \`otherFields\` with the rest as JSON. A JSON Lines file has the records as the API returned them.

**AI tools.** As a tool, an operation with Simplify has Output (\`output\`) in its place: \`simplified\`, the default, \`raw\`,
or \`selectedFields\` with the fields in Output Fields (\`outputFields\`). Get by Form Submission then searches only in a text.

**Tables.** *Name* is the name that a workflow stores. With few exceptions, it is also the API's. Parameters marked *
are required. A new page also requires an action, and an update something to change.`;

/** The page of all operations, from what the node says of itself and the OpenAPI document of the API. */
export function writeOperationsPage(): string {
	const chapters = resources.map(({ option, notice }) => {
		const own = pairs.filter(({ name }) => name.startsWith(`${option.value}.`));
		const described = own.map((pair) => describeOperation(option.name, pair));
		return [`## ${option.name}`, ...(notice ? [notice] : []), ...described].join('\n\n');
	});
	return `${[head, ...chapters, describeOptions()].join('\n\n')}\n`;
}

/** The README's table of operations, with links to the page. */
export function writeOperationsTable(): string {
	const rows = resources.map(({ option: { name }, operations }) => {
		const links = operations.map(({ option }) => {
			const anchor = slug(`${name}: ${option.name}`);
			return `[${option.name}](docs/operations.md#${anchor})`;
		});
		return [name, links.join(', ')];
	});
	return writeTable(['Resource', 'Operations'], rows);
}

function describeOperation(resource: string, pair: Pair): string {
	const { option, properties } = pair.operation;
	const forPeople = properties.filter(
		({ type, displayOptions }) => type !== 'notice' && !displayOptions?.show?.['@tool'],
	);
	const rows = forPeople.flatMap((property) =>
		property.name === 'options' ? [nameOptions(property)] : listRows(property),
	);
	const endpoints = pair.used.map(({ method, path }) => `\`${method} /v0${path}\``).join(', ');
	return [
		`### ${resource}: ${option.name}`,
		withStop(option.description),
		`${endpoints}. ${describeEffect(pair)}`,
		writeTable(tableHead, rows),
		describeOutput(pair),
	].join('\n\n');
}

/** Operations share the options, which have a chapter of their own. */
function nameOptions({ displayName, name, options = [] }: INodeProperties): string[] {
	const labels = (options as INodeProperties[]).map((option) => option.displayName);
	return [displayName, `\`${name}\``, labels.join(', '), 'See [Options](#options)'];
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

function describeOutput({ operation, record, isList }: Pair): string {
	const { paging, properties } = operation;
	const { shape, adds = {}, isOwn } = operation.output ?? {};
	const sentences = [
		`**Output**: ${isList ? 'one item per record' : 'one item'}${paging ? `, read in pages by ${paging}` : ''}.`,
		`Fields: ${listFields(record)}.`,
	];
	const added = Map.groupBy(Object.entries(isOwn ? {} : adds), ([, field]) => field.with);
	for (const [label, fields] of added) {
		const names = listNames(fields.map(([name]) => name));
		sentences.push(`${label === undefined ? 'Added by the node' : `With ${label}`}: ${names}.`);
	}
	if (shape?.simplified) {
		const isOn = properties.find(({ name }) => name === 'simplify')?.default === true;
		const names = shape.simplified.map((each) => (typeof each === 'string' ? each : each.name));
		sentences.push(`With Simplify (${isOn ? 'on' : 'off'} by default): ${listNames(names)}.`);
	}
	return sentences.join(' ');
}

/** `name` text or null, `linkedPersons` list (`personId`, …). */
function listFields({ properties = {} }: Schema): string {
	const fields = Object.entries(properties).map(([name, schema]) => {
		const members = Object.keys((schema.items ?? schema).properties ?? {});
		const inside = members.length > 0 ? ` (${listNames(members)})` : '';
		return `\`${name}\` ${describeType(schema)}${inside}`;
	});
	return fields.join(', ');
}

function describeType({ type, enum: choices }: Schema): string {
	const words: Record<string, string> = { string: 'text', integer: 'whole number', array: 'list' };
	if (choices) words.string = `one of ${listNames(choices.filter(Boolean))}`;
	return [type ?? []]
		.flat()
		.map((each) => words[each] ?? each)
		.join(' or ');
}

/** The options of all operations, each once. */
function describeOptions(): string {
	const all = pairs
		.flatMap(({ operation }) => operation.properties.filter(({ name }) => name === 'options'))
		.flatMap(({ options = [] }) => options as INodeProperties[]);
	const options = [...new Map(all.map((option) => [option.name, option])).values()].sort((a, b) =>
		a.displayName.localeCompare(b.displayName),
	);
	const rows = options.flatMap((option) => listRows(option, '', 'options.'));
	return [
		'## Options',
		'An option that is true or false is on when you add it. Without it, only Escape Formulas is on.',
		writeTable(tableHead, rows),
	].join('\n\n');
}
