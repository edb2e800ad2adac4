import { writeCausesTable } from './causesTable.mts';
import { writeDescriptions } from './descriptions.mts';
import { fillPlace } from './markdown.mts';
import { writeOperationsPage, writeOperationsTable } from './operationsPage.mts';
import { previews } from './previews.mts';

/** A file that is generated, in whole or in part, with the text it should have. */
type GeneratedFile = { path: string; text: string };

/** Every file in it is generated. */
export const schemaFolder = 'nodes/PageAudience/__schema__/v1.0.0';

/** Where n8n looks first for the output of a node without operations, in the editor as for a model. */
const pollingPreview = 'nodes/PageAudiencePollingTrigger/__schema__/v1.0.0.json';

export function generateFiles(): GeneratedFile[] {
	return [
		{ path: 'docs/operations.md', text: writeOperationsPage() },
		{ path: 'README.md', text: fillPlace('README.md', 'operations', writeOperationsTable()) },
		{
			path: 'docs/troubleshooting.md',
			text: fillPlace('docs/troubleshooting.md', 'causes', writeCausesTable()),
		},
		...previews.map(({ name, preview }) => ({
			path: `${schemaFolder}/${name.replace('.', '/')}.json`,
			text: writeJson(preview),
		})),
		{ path: pollingPreview, text: writeJson(previewPoll()) },
		// What a person reviews when a text, a default or a condition of the panel changes.
		{ path: 'test/unit/contract/descriptions.txt', text: writeDescriptions() },
	];
}

/** n8n has one preview for all events of a trigger: the polling trigger's first one outputs sessions with their answers. */
function previewPoll(): object {
	const [session, { properties }] = ['getAll', 'getByFormSubmission'].map(
		(operation) => previews.find(({ name }) => name === `audienceSession.${operation}`)!.preview,
	);
	const { found: _, foundBy: __, ...answered } = properties;
	return { ...session, properties: answered };
}

function writeJson(value: unknown): string {
	return `${JSON.stringify(value, null, '\t')}\n`;
}
