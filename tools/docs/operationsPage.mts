import type { INodeProperties } from 'n8n-workflow';
import { isRepeatable } from '../../nodes/api/request.ts';
import type { Operation } from '../../nodes/PageAudience/operation/operation.ts';
import { resources } from '../../nodes/PageAudience/resources/index.ts';
import type { Endpoint, Schema } from './document.mts';
import { pairs } from './pairs.mts';
import type { Parameters } from './parameters.mts';
import { slug, withStop, writeTable } from './markdown.mts';
import { describeOutput, findListed, type Listed, type Pair } from './output.mts';
import { describeValues, listRows } from './parameterRows.mts';
import { describeLeast, describePlace, isRefusedWithout } from './sent.mts';
import { describeShared, shared } from './sharedParameters.mts';

const head = `# Operations

<!-- \`npm run docs\` generates this page from the node and sandbox/openapi.yaml. -->

Every operation of the **Page Audience** node, with its endpoint, parameters, request and output.
Some values are not documented by the API: see [What the API does not document](not-documented.md).

**Requests.** Parameters without a value are not sent; \`false\` and \`0\` are values. A blank field of a row, such as an
action or a link target, is sent as \`""\`. The node adds only the defaults and empty lists shown here, the page size
and the idempotency key. It removes surrounding spaces from IDs, dates, event kinds,
\`source\`, \`type\`, flags and keys. It also removes them from a person's email address, domain, phone number and
LinkedIn URL, an account's domain and a subscription's URL. Around a person's values and an account's domain, it also
removes invisible characters such as a zero-width space. Names, other texts, scripts and JSON are sent unchanged. A
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

**Tables.** *Name* is the name that a workflow stores. *Sent in* says whether the value goes into the path, the query or
the body. Parameters marked * are required.`;

/** The page of all operations, from what the node says of itself and the OpenAPI document of the API. */
export function writeOperationsPage(): string {
	const listed = findListed(
		resources.flatMap(({ option, operations }) =>
			operations.map((operation) => [titleOf(option, operation), findPair(operation)] as const),
		),
	);
	const chapters = resources.map(({ option, notice, operations }) =>
		[
			`## ${option.name}`,
			...(notice ? [notice] : []),
			...operations.map((operation) =>
				describeOperation(titleOf(option, operation), findPair(operation), listed),
			),
		].join('\n\n'),
	);
	return [head, ...chapters, describeShared()].join('\n\n') + '\n';
}

const titleOf = ({ name }: { name: string }, { option }: Operation): string =>
	`${name}: ${option.name}`;

function findPair(operation: Operation): Pair {
	const found = pairs.find((each) => each.operation === operation);
	if (!found) throw new Error(`${operation.option.action} has no endpoint`);
	return found;
}

function describeOperation(title: string, pair: Pair, listed: Listed): string {
	const { operation } = pair;
	const [endpoint] = pair.found;
	const own = operation.properties.filter(({ type }) => type !== 'notice');
	const forPeople = own.filter(({ displayOptions }) => !displayOptions?.show?.['@tool']);
	const forTools = own.filter(({ displayOptions }) => displayOptions?.show?.['@tool']);
	return [
		`### ${title}`,
		withStop(operation.option.description),
		describeEndpoints(pair),
		describeParameters(operation, endpoint, forPeople, pair.parameters),
		...describeLeast(operation, pair.parameters),
		...(forTools.length
			? [`As an AI tool: ${forTools.map(describeToolParameter).join('; ')}.`]
			: []),
		describeOutput(title, pair, listed),
	].join('\n\n');
}

function describeKind({ writes }: Operation): string {
	if (!writes) return 'Reads.';
	const differs = writes.outcomes?.includes('updated') ? ' or differs' : '';
	return `Looks first, and writes only what is missing${differs}.`;
}

function describeEndpoints({ operation, used, ...pair }: Pair): string {
	if (operation.uses) {
		const list = used.map(({ method, path }) => `\`${method} /v0${path}\``).join(', ');
		return `Uses ${list}. ${describeKind(operation)}`;
	}
	const [{ method, path, success }] = used;
	return (
		`\`${method} /v0${path}\` returns ${success}. ` +
		(method === 'GET' ? 'Reads.' : `Writes. ${describeRepeats(pair)}`)
	);
}

function describeRepeats({ request, parameters }: Pick<Pair, 'request' | 'parameters'>): string {
	if (!isRepeatable(request))
		return 'Not resent automatically if the first attempt may have succeeded.';
	const condition = 'idempotency' in parameters ? ' if it has an idempotency key' : '';
	return `Resent after a lost connection${condition}.`;
}

const describeToolParameter = (property: INodeProperties): string =>
	`${property.displayName} (\`${property.name}\`) is ${property.name === 'outputFields' ? 'any of the fields' : describeValues(property)}`;

function describeParameters(
	operation: Operation,
	endpoint: Endpoint,
	properties: INodeProperties[],
	parameters: Parameters,
): string {
	const rows = properties.flatMap((property) => {
		const isNeeded =
			property.required === true || isRefusedWithout(operation, parameters, property);
		const link = shared[property.name];
		if (link) {
			const label = isNeeded ? `${property.displayName} *` : property.displayName;
			const place = endpoint.body?.properties?.[property.name] ? 'body' : '';
			return [
				[
					label,
					`\`${property.name}\``,
					`see [${link}](#${slug(link)})`,
					place,
					property.description ?? '',
				],
			];
		}
		return listRows(property, isNeeded, (name) => schemaOf(endpoint, name)).map(
			({ label, name, takes, field, description }) => [
				label,
				`\`${name}\``,
				takes,
				describePlace(operation, endpoint, parameters, field),
				description,
			],
		);
	});
	return writeTable(['Parameter', 'Name', 'Accepts', 'Sent in', 'Description'], rows);
}

const schemaOf = ({ body, query }: Endpoint, name: string): Schema | undefined =>
	body?.properties?.[name] ?? query[name];
