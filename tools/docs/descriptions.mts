import type { INodeProperties, INodeType } from 'n8n-workflow';
import { PageAudienceApi } from '../../credentials/PageAudienceApi.credentials.ts';
import { PageAudience } from '../../nodes/PageAudience/PageAudience.node.ts';
import { PageAudiencePollingTrigger } from '../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import { PageAudienceTrigger } from '../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';

const head = `All that n8n reads of the nodes and the credential: each text, default and condition. \`npm run lint:fix\` writes it, so that the
diff shows what a change of the code changes in the panel. Each parameter, choice and setting has one line, with the operations
that show it. Which of them an operation has in which order is tested elsewhere.
`;

type Described = Record<string, unknown> & { properties: INodeProperties[] };
/** A parameter, or a group, mode or choice of one. */
type Field = Omit<Partial<INodeProperties>, 'options' | 'modes' | 'type'> & {
	type?: string;
	value?: unknown;
	options?: Field[];
	values?: Field[];
	modes?: Field[];
};

/** The descriptions of the nodes and the credential. JSON has no members that are undefined, and no object in two places. */
export const described = JSON.parse(
	JSON.stringify(
		[
			...[new PageAudience(), new PageAudienceTrigger(), new PageAudiencePollingTrigger()].map(
				describeNode,
			),
			new PageAudienceApi(),
		],
		sortMembers,
	),
) as Described[];

function describeNode({ description, methods, webhookMethods }: INodeType): object {
	return {
		...description,
		methods: Object.entries(methods ?? {}).map(([kind, each]) => [kind, ...Object.keys(each)]),
		webhookMethods: Object.keys(webhookMethods ?? {}),
	};
}

/** The label first, as n8n wants it. In which order the code names the others does not matter. */
function sortMembers(_: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const byName = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
	return 'displayName' in value
		? { displayName: value.displayName, ...Object.fromEntries(byName) }
		: Object.fromEntries(byName);
}

/** The same as a text to compare. */
export const writeDescriptions = (): string => [head, ...described.map(writeOne)].join('\n');

function writeOne({ properties, displayName, ...others }: Described): string {
	const members = Object.entries(others).map(([name, each]) => `${name} ${JSON.stringify(each)}`);
	return [`── ${String(displayName)}`, ...members, '', ...writeFields(properties), ''].join('\n');
}

/** Each line once, although the node has its parameter again for each operation. */
function writeFields(properties: INodeProperties[]): string[] {
	const shownFor = new Map<string, string[]>();
	for (const { displayOptions: { show, ...others } = {}, ...rest } of properties as Field[]) {
		const { resource, operation, ...more } = show ?? {};
		const conditions = { ...others, ...(Object.keys(more).length > 0 && { show: more }) };
		const property =
			Object.keys(conditions).length > 0 ? { ...rest, displayOptions: conditions } : rest;
		const shown = resource ? [[resource, operation ?? []].flat().join('.')] : [];
		for (const line of flatten(property, property.name))
			shownFor.set(line, [...(shownFor.get(line) ?? []), ...shown]);
	}
	return [...shownFor].map(([line, shown]) =>
		shown.length > 0 ? `${line} · ${shown.join(', ')}` : line,
	);
}

function flatten(field: Field, path = ''): string[] {
	const { options = [], values = [], modes = [], ...own } = field;
	const isChoice = (each: Field) => each.value !== undefined;
	const plain = options.filter((each) => isChoice(each) && Object.keys(each).length === 2);
	return [
		writeField(path, own, plain),
		...options
			.filter((each) => !plain.includes(each))
			.flatMap((each) =>
				flatten(each, isChoice(each) ? `${path}=${String(each.value)}` : `${path}.${each.name}`),
			),
		...values.flatMap((each) => flatten(each, `${path}.${each.name}`)),
		...modes.flatMap((each) => flatten(each, `${path}:${each.name}`)),
	];
}

function writeField(path: string, field: Field, choices: Field[]): string {
	const {
		name,
		value,
		displayName = name,
		type,
		default: byDefault,
		description,
		...others
	} = field;
	return [
		`${path}: ${displayName}`,
		...(type ? [`(${type})`] : []),
		...(byDefault === undefined ? [] : [`= ${JSON.stringify(byDefault)}`]),
		...(description ? [`· ${description}`] : []),
		...Object.entries(others).map(([member, each]) => `· ${member} ${JSON.stringify(each)}`),
		...(choices.length > 0
			? [`· ${choices.map((each) => `${String(each.value)} "${each.name}"`).join(', ')}`]
			: []),
	].join(' ');
}
