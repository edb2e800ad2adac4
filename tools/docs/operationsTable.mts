import { resources } from '../../nodes/PageAudience/resources/index.ts';
import { pairs } from './pairs.mts';
import { slug, writeTable } from './markdown.mts';

const place = /(?<=<!-- operations: .+ -->\n\n)[^]*(?=\n\n<!-- operations end -->)/;

/** The README with its table of operations written from the node and the OpenAPI document. */
export function replaceOperationsTable(readme: string): string {
	if (!place.test(readme)) throw new Error('The README has no place for the table of operations');
	return readme.replace(place, () => writeOperationsTable());
}

function writeOperationsTable(): string {
	const rows = resources.flatMap(({ option: resource, operations }) =>
		operations.map((operation, index) => {
			const { name, description } = operation.option;
			const used = pairs.find((pair) => pair.operation === operation)?.used ?? [];
			const anchor = slug(`${resource.name}: ${name}`);
			return [
				index === 0 ? resource.name : '',
				`[${name}](docs/operations.md#${anchor})`,
				description,
				used.map(({ method, path }) => `\`${method} /v0${path}\``).join(', '),
			];
		}),
	);
	return writeTable(['Resource', 'Operation', 'Description', 'Endpoint'], rows);
}
