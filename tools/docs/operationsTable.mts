import { resources } from '../../nodes/PageAudience/resources/index.ts';
import { slug, writeTable } from './markdown.mts';

const place = /(?<=<!-- operations: .+ -->\n\n)[^]*(?=\n\n<!-- operations end -->)/;

/** The README with its table of operations written from the node. */
export function replaceOperationsTable(readme: string): string {
	if (!place.test(readme)) throw new Error('The README has no place for the table of operations');
	return readme.replace(place, () => writeOperationsTable());
}

function writeOperationsTable(): string {
	const rows = resources.map(({ option: resource, operations }) => {
		const links = operations.map(({ option: { name } }) => {
			const anchor = slug(`${resource.name}: ${name}`);
			return `[${name}](docs/operations.md#${anchor})`;
		});
		return [resource.name, links.join(', ')];
	});
	return writeTable(['Resource', 'Operations'], rows);
}
