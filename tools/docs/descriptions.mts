import type { INodeProperties, INodeType } from 'n8n-workflow';
import { stringify } from 'yaml';
import { PageAudienceApi } from '../../credentials/PageAudienceApi.credentials.ts';
import { PageAudience } from '../../nodes/PageAudience/PageAudience.node.ts';
import { PageAudiencePollingTrigger } from '../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import { PageAudienceTrigger } from '../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';

const head = `# All that n8n reads of the nodes and the credential: each text, default and condition. \`npm run lint:fix\` writes it, so
# that the diff shows what a change of the code changes in the panel. Which parameters an operation has in which order is
# tested elsewhere: here, each parameter stands once, with the operations that show it.
`;

const nodes = [new PageAudience(), new PageAudienceTrigger(), new PageAudiencePollingTrigger()];

/** The descriptions of the nodes and the credential. JSON has no members that are undefined, and no object in two places. */
export const described = JSON.parse(
	JSON.stringify([...nodes.map(describeNode), new PageAudienceApi()], sortMembers),
) as Array<Record<string, unknown>>;

/** The label first, as n8n wants it. In which order the code names the others does not matter. */
function sortMembers(_: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const byName = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
	return 'displayName' in value
		? { displayName: value.displayName, ...Object.fromEntries(byName) }
		: Object.fromEntries(byName);
}

/** The same as a text to compare. */
export const writeDescriptions = (): string =>
	head + stringify(described, { lineWidth: 0, singleQuote: true });

function describeNode({ description, methods, webhookMethods }: INodeType): object {
	return {
		...description,
		properties: mergeOperations(description.properties),
		methods: Object.entries(methods ?? {}).map(([kind, each]) => [kind, ...Object.keys(each)]),
		webhookMethods: Object.keys(webhookMethods ?? {}),
	};
}

/** Each parameter once, although the node has it again for each operation. */
function mergeOperations(properties: INodeProperties[]): object[] {
	const merged = new Map<string, { property: object; shownFor: string[] }>();
	for (const { displayOptions: { show, ...others } = {}, ...rest } of properties) {
		const { resource, operation, ...more } = show ?? {};
		const conditions = { ...others, ...(show && Object.keys(more).length > 0 && { show: more }) };
		const property = {
			...rest,
			...(Object.keys(conditions).length > 0 && { displayOptions: conditions }),
		};
		const key = JSON.stringify(property);
		const entry = merged.get(key) ?? { property, shownFor: [] };
		merged.set(key, entry);
		if (resource) entry.shownFor.push([resource, operation ?? []].flat().join('.'));
	}
	return [...merged.values()].map(({ property, shownFor }) => ({
		...property,
		...(shownFor.length > 0 && { shownFor: shownFor.join(', ') }),
	}));
}
