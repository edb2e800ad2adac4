import { type INode, type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';

const { description } = new PageAudience();
const node: INode = {
	id: '1',
	name: 'Page Audience',
	type: 'pageAudience',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** What the panel shows, as n8n finds it out. */
const shown = (values: INodeParameters, asTool = false) => {
	const type = asTool ? { ...description, name: 'pageAudienceTool' } : description;
	return description.properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, node, type),
	);
};

/** The values of a node in which a person has chosen no more than these. */
const withDefaults = (values: INodeParameters): INodeParameters =>
	NodeHelpers.getNodeParameters(description.properties, values, true, false, node, description) ??
	{};

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		title: `${resource.option.name} > ${operation.option.name}`,
		resource,
		operation,
		values: { resource: resource.option.value, operation: operation.option.value },
	})),
);

/** The notices of an operation whose fields are as a person finds them. */
const noticesOf: Record<string, string[]> = {
	'Page > Update': ['A list below may replace the whole list of the page'],
};

const readNotices = (properties: INodeProperties[]) =>
	properties.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName);

describe.each(operations)('$title', ({ title, resource, operation, values }) => {
	/** Values with which everything that hides behind another parameter is shown. */
	const labels = (asTool: boolean) =>
		operation.properties
			.filter((property) => {
				if (property.type === 'notice') return false;
				const { show = {}, hide = {} } = property.displayOptions ?? {};
				const holds = ([name, allowed]: [string, unknown]) =>
					(allowed as unknown[]).includes(
						name === '@tool' ? asTool : (values as Record<string, unknown>)[name],
					);
				return Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
			})
			.map(({ displayName, type }) =>
				asTool && type === 'resourceLocator' ? `${displayName} ID` : displayName,
			);

	test.each([false, true])('shows its own parameters alone, as a tool: %p', (asTool) => {
		const [first, second, ...rest] = shown(values, asTool);
		expect([first.displayName, second.displayName]).toEqual(['Resource', 'Operation']);
		const own = rest.filter(({ type }) => type !== 'notice').map(({ displayName }) => displayName);
		expect(own).toEqual(labels(asTool));
	});

	test.each([false, true])('has its own notices alone, as a tool: %p', (asTool) => {
		const own = noticesOf[title] ?? [];
		expect(readNotices(shown(withDefaults(values), asTool))).toEqual([
			...own.map((notice): unknown => expect.stringContaining(notice)),
		]);
	});

	test('is the label on the canvas', () => {
		const expression = /^=\{\{ (.*) \}\}$/.exec(description.subtitle ?? '')?.[1];
		const evaluate = new Function('$parameter', `return ${expression}`) as (of: object) => unknown;
		expect(evaluate(values)).toBe(`${operation.option.value}: ${resource.option.value}`);
	});
});

test('a new node has an operation of each resource that changes nothing, where it has one, and neither select takes expressions', () => {
	const [resourceSelect, ...others] = description.properties;
	expect(resourceSelect).toMatchObject({
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'personLog',
		options: resources.map(({ option }) => ({ value: option.value })),
	});
	const opensWith: Record<string, string> = {
		account: 'search',
		audience: 'getAll',
		audienceSession: 'getAll',
		page: 'search',
		pageLink: 'update',
		person: 'getAll',
		personLog: 'create',
		webhookSubscription: 'getAll',
	};
	const selects = others.filter(({ name }) => name === 'operation');
	expect(selects).toHaveLength(resources.length);
	for (const [i, select] of selects.entries()) {
		const values = resources[i].operations.map(({ option }) => option.value);
		expect(select).toMatchObject({
			type: 'options',
			noDataExpression: true,
			default: opensWith[resources[i].option.value],
			options: values.map((value) => ({ value })),
		});
	}
});

test('what the node keeps of hidden parameters is nothing', () => {
	const kept = NodeHelpers.getNodeParameters(
		description.properties,
		{ resource: 'person', operation: 'search', returnAll: true, pageId: 'p' },
		false,
		false,
		node,
		description,
	);
	expect(kept).toEqual({ resource: 'person', operation: 'search', returnAll: true });
});

test('a target that was added stays when another field of the panel changes', () => {
	const given = { resource: 'pageLink', operation: 'update', updateFields: { target: {} } };
	const kept = NodeHelpers.getNodeParameters(
		description.properties,
		{ ...given, pageId: { __rl: true, mode: 'id', value: 'page_1' } },
		false,
		false,
		node,
		description,
	);
	expect(kept?.updateFields).toEqual({ target: {} });
});

test("each operation describes a parameter once, and a record's ID for people and for models", () => {
	for (const { title, operation, values } of operations) {
		const described = description.properties.filter(({ displayOptions }) => {
			const { resource = [], operation: shownFor = [] } = displayOptions?.show ?? {};
			return resource.includes(values.resource) && shownFor.includes(values.operation);
		});
		const expected = operation.properties.flatMap(({ name, type, displayOptions }) =>
			type === 'resourceLocator' && !displayOptions?.hide?.['@tool'] ? [name, name] : [name],
		);
		expect([title, described.map(({ name }) => name)]).toEqual([title, expected]);
	}
});
