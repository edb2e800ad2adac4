import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mts';
import { writeDescriptions } from './descriptions.mts';
import { writeOperationsPage, writeOperationsTable } from './operationsPage.mts';
import { previews } from './previews.mts';

/** A file that is generated, in whole or in part, with the text it should have. */
type GeneratedFile = { path: string; text: string };

/** Every file in it is generated. */
export const schemaFolder = 'nodes/PageAudience/__schema__/v1.0.0';

/** Where n8n looks first for the output of a node without operations, in the editor as for a model. */
const pollingPreview = 'nodes/PageAudiencePollingTrigger/__schema__/v1.0.0.json';

export function generateFiles(): GeneratedFile[] {
	// n8n has one preview for all events of a trigger: the polling trigger's first one outputs sessions.
	const session = previews.find(({ name }) => name === 'audienceSession.getAll');
	return [
		{ path: 'docs/operations.md', text: writeOperationsPage() },
		{ path: 'README.md', text: writeReadme() },
		...previews.map(({ name, preview }) => ({
			path: `${schemaFolder}/${name.replace('.', '/')}.json`,
			text: writeJson(preview),
		})),
		{ path: pollingPreview, text: writeJson(session?.preview) },
		// What a person reviews when a text, a default or a condition of the panel changes.
		{ path: 'test/unit/contract/descriptions.yaml', text: writeDescriptions() },
	];
}

/** The README with its table of operations. */
function writeReadme(): string {
	const readme = readFileSync(join(root, 'README.md'), 'utf8');
	const place = /(?<=<!-- operations: .+ -->\n\n)[^]*(?=\n\n<!-- operations end -->)/;
	if (!place.test(readme)) throw new Error('The README has no place for the table of operations');
	return readme.replace(place, writeOperationsTable);
}

function writeJson(value: unknown): string {
	return `${JSON.stringify(value, null, '\t')}\n`;
}
