import { isRepeatable } from '../../nodes/api/request.ts';
import { resources } from '../../nodes/PageAudience/resources/index.ts';
import { listNames, slug, withStop, writeTable } from './markdown.mts';
import { type Pair, pairs } from './pairs.mts';
import { describeOutput, writeRecords } from './recordList.mts';

const head = `# Operations

<!-- \`npm run lint:fix\` generates this page from the node and sandbox/openapi.yaml. -->

What the **Page Audience** node can do, and the requests that it sends. At the end are the [fields of records](#records).

- **Sent once** means not resent after a lost connection, because that could create a duplicate.
- **Output.** A list has one item per record, as the API returned it or simplified. The secrets in the URL of a trigger are \`***\`.
- **Files.** A list as a file is one item with \`records\`, \`totalCount\`, \`fileName\`, \`mimeType\` and the file.
- **Dates.** \`2026-01-31\`, \`2026-01-31T08:00:00+01:00\`, \`31.01.2026\`, a date from an expression, or seconds or
  milliseconds since 1970. \`01/02/2026\` and years before 1970 or after 2200 are refused. Without an offset, the workflow's time zone
  applies. A day as **End Date** includes the whole day.`;

/** The page of all operations, from what the node says of itself and the OpenAPI document of the API. */
export function writeOperationsPage(): string {
	const chapters = resources.flatMap(({ name, value }) => {
		const own = pairs.filter(({ name: own }) => own.startsWith(`${value}.`));
		const rows = own.map(describeOperation);
		return [`## ${name}`, writeTable(['Operation', 'What it does', 'Output'], rows)];
	});
	const rest = [
		'## Records',
		'Simplify keeps the bold fields. Those with a ? can be null.',
		writeRecords(),
	];
	return `${[head, ...chapters, ...rest].join('\n\n')}\n`;
}

/** The README's table of operations, with links to the page. */
export function writeOperationsTable(): string {
	const rows = resources.map(({ name, operations }) => [
		`[${name}](docs/operations.md#${slug(name)})`,
		operations.map((operation) => operation.name).join(', '),
	]);
	return writeTable(['Resource', 'Operations'], rows);
}

function describeOperation(pair: Pair): string[] {
	const { name, description } = pair.operation;
	const requests = listNames(pair.used.map(({ method, path }) => `${method} /v0${path}`));
	const told = [description, requests, describeResending(pair)];
	const text = told.filter(Boolean).map(withStop).join(' ');
	return [`**${name}**`, text, describeOutput(pair)];
}

/** What reads is not worth a word: its request says so. */
function describeResending({ operation: { uses, writes }, request, parameters }: Pair): string {
	if (!writes || uses) return '';
	if (!isRepeatable(request)) return 'Sent once';
	return 'idempotency' in (parameters.options as object)
		? 'Sent once if it has no idempotency key'
		: '';
}
