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
	JSON.stringify([
		...[new PageAudience(), new PageAudienceTrigger(), new PageAudiencePollingTrigger()].map(
			describeNode,
		),
		new PageAudienceApi(),
	]),
) as Described[];

function describeNode({ description, methods, webhookMethods }: INodeType): object {
	return {
		...description,
		methods: Object.entries(methods ?? {}).map(([kind, each]) => [kind, ...Object.keys(each)]),
		webhookMethods: Object.keys(webhookMethods ?? {}),
	};
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
		const isPlain = Object.keys(conditions).length === 0;
		const field = isPlain ? rest : { ...rest, displayOptions: conditions };
		const shown = resource ? [[resource, operation ?? []].flat().join('.')] : [];
		for (const line of flatten(field, field.name))
			shownFor.set(line, [...(shownFor.get(line) ?? []), ...shown]);
	}
	return [...shownFor].map(([line, shown]) => [line, shown.join(', ')].filter(Boolean).join(' · '));
}

/** A line for the field, and one for each field, mode or choice in it. Choices that only have a name stand in its own. */
function flatten({ options = [], values = [], modes = [], ...own }: Field, path = ''): string[] {
	const plain = options.filter(
		(each) => each.value !== undefined && Object.keys(each).length === 2,
	);
	const inner = [...options.filter((each) => !plain.includes(each)), ...values, ...modes];
	const pathOf = ({ name, value }: Field) =>
		value === undefined ? `${path}.${name}` : `${path}=${String(value)}`;
	return [writeField(path, own, plain), ...inner.flatMap((each) => flatten(each, pathOf(each)))];
}

function writeField(path: string, field: Field, choices: Field[]): string {
	const { name, value, displayName = name, type, default: usual, ...others } = field;
	const { description, ...rest } = others;
	return [
		`${path}: ${displayName}`.concat(
			type ? ` (${type})` : '',
			usual === undefined ? '' : ` = ${JSON.stringify(usual)}`,
		),
		description,
		...Object.entries(rest).map(([member, each]) => `${member} ${JSON.stringify(each)}`),
		choices.map((each) => `${String(each.value)} "${each.name}"`).join(', '),
	]
		.filter(Boolean)
		.join(' · ');
}
