import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mts';
import { writeDescriptions } from './descriptions.mts';
import { drawLayers } from './layers.mts';
import { writeMembersTable } from './members.mts';
import { writeOperationsPage } from './operationsPage.mts';
import { replaceOperationsTable } from './operationsTable.mts';
import { previews } from './outputSchemas.mts';

/** A file that is generated, in whole or in part, with the text it should have. */
export type GeneratedFile = { path: string; text: string };

/** Every file in it is generated. */
export const schemaFolder = 'nodes/PageAudience/__schema__/v1.0.0';

/** What a person reviews when a text, a default or a condition of the panel changes. */
export const descriptionsPath = 'test/unit/contract/descriptions.yaml';

/** Where n8n looks first for the output of a node without operations, in the editor as for a model. */
const pollingPreview = 'nodes/PageAudiencePollingTrigger/__schema__/v1.0.0.json';

export function generateFiles(): GeneratedFile[] {
	// n8n has one preview for all events of a trigger: the polling trigger's first one outputs sessions.
	const session = previews.find(({ name }) => name === 'audienceSession.getAll');
	return [
		{ path: 'docs/operations.md', text: writeOperationsPage() },
		{
			path: 'README.md',
			text: replaceOperationsTable(readFileSync(join(root, 'README.md'), 'utf8')),
		},
		{ path: 'CONTRIBUTING.md', text: describeStructure() },
		...previews.map(({ name, preview }) => ({
			path: `${schemaFolder}/${name.replace('.', '/')}.json`,
			text: writeJson(preview),
		})),
		{ path: pollingPreview, text: writeJson(session?.preview) },
		{ path: descriptionsPath, text: writeDescriptions() },
	];
}

function writeJson(value: unknown): string {
	return `${JSON.stringify(value, null, '\t')}\n`;
}

/** CONTRIBUTING with its chart of imports and its table of an operation's members. */
function describeStructure(): string {
	const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
	const withChart = replacePart(text, /```mermaid\n[^`]*```/, drawLayers());
	return replacePart(
		withChart,
		/\| Of +\| Member [^\n]*\n(\|[^\n]*\n)*/,
		`${writeMembersTable()}\n`,
	);
}

function replacePart(text: string, place: RegExp, part: string): string {
	if (!place.test(text)) throw new Error(`CONTRIBUTING.md has nothing like ${place.source}`);
	return text.replace(place, () => part);
}
