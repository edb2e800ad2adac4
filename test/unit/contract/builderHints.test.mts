import type { IBuilderHint, INodeProperties } from 'n8n-workflow';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';
import { PageAudiencePollingTrigger } from '../../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';

const nodes = [new PageAudience(), new PageAudiencePollingTrigger(), new PageAudienceTrigger()].map(
	({ description }) => description,
);

type Hint = { place: string; text: string; properties: INodeProperties[] };

/** The members of a select, a collection or a fixed collection. */
type Member = Pick<INodeProperties, 'name' | 'builderHint'> &
	Partial<Pick<INodeProperties, 'options'>> & { values?: INodeProperties[] };

function listParameterHints(members: Member[], place: string): Array<Omit<Hint, 'properties'>> {
	return members.flatMap((member) => {
		const here = `${place} > ${member.name}`;
		const hint = member.builderHint;
		return [
			...(hint ? [{ place: here, text: hint.propertyHint }] : []),
			...listParameterHints((member.options ?? []) as Member[], here),
			...listParameterHints(member.values ?? [], here),
		];
	});
}

function listNodeHints({ searchHint = '', relatedNodes = [] }: IBuilderHint, place: string) {
	return [searchHint, ...relatedNodes.map(({ relationHint }) => relationHint)].map((text) => ({
		place,
		text,
	}));
}

const hints: Hint[] = nodes.flatMap(({ name, builderHint = {}, properties }) =>
	[...listNodeHints(builderHint, name), ...listParameterHints(properties, name)].map((hint) => ({
		...hint,
		properties,
	})),
);

/** Every name and value that a workflow of the node can hold. */
function listWords(members: Member[]): string[] {
	return members.flatMap(({ name, options = [], values = [], ...rest }) => [
		name,
		...('value' in rest ? [String(rest.value)] : []),
		...listWords(options as Member[]),
		...listWords(values),
	]);
}

/** Words of the API and of n8n itself. */
const others = ['onError', 'continueErrorOutput'];

test('every node has one, and names the others', () => {
	for (const { builderHint } of nodes) {
		expect(builderHint?.searchHint).toBeTruthy();
		const related = builderHint?.relatedNodes?.map(({ nodeType }) => nodeType) ?? [];
		const rest = nodes.filter((node) => node.builderHint !== builderHint);
		expect([...related].sort()).toEqual(
			rest.map(({ name }) => `n8n-nodes-page-audience.${name}`).sort(),
		);
	}
	expect(hints.length).toBeGreaterThan(10);
});

test.each(hints.map((hint) => [hint.place, hint] as const))(
	'%s is whole sentences that name only what exists',
	(_, { text, properties }) => {
		expect(text).toMatch(/^[A-Z].*[^\s,;:]$/);
		const words = [
			...listWords(properties),
			...resources.map(({ option }) => option.value),
			...resources.flatMap(({ operations }) => operations.map(({ option }) => option.value)),
			...resources.flatMap(({ operations }) =>
				operations.flatMap(({ output }) => output?.shape?.fields ?? []),
			),
			...others,
		];
		// A name in the code is the only word with a capital letter in its middle.
		const named = text.match(/\b[a-z]+[A-Z]\w*(\.\w+)*\b/g) ?? [];
		for (const name of named.flatMap((each) => each.split('.'))) expect(words).toContain(name);
	},
);

test('no select that n8n builds nodes from has one, because n8n would not load the node', () => {
	for (const { properties } of nodes) {
		for (const { name, builderHint } of properties)
			if (['resource', 'operation'].includes(name)) expect(builderHint).toBeUndefined();
	}
});
