import { type INode, type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { shapeRecord } from '../../../nodes/PageAudience/operation/output.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';

const { description } = new PageAudience();
const { properties } = description;
const node: INode = {
	id: '1',
	name: 'Page Audience',
	type: 'pageAudience',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** The labels that the panel shows with these values, as n8n finds them out. */
const listShown = (values: INodeParameters, asTool = false) => {
	const type = asTool ? { ...description, name: 'pageAudienceTool' } : description;
	return properties
		.filter((property) => NodeHelpers.displayParameter(values, property, node, type))
		.map(({ displayName }) => displayName);
};

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		title: `${resource.name} > ${operation.name}`,
		operation,
		values: { resource: resource.value, operation: operation.value },
	})),
);

describe.each(operations)('$title', ({ operation, values }) => {
	const given: Record<string, unknown> = values;

	test.each([false, true])('shows its own parameters alone, as a tool: %p', (asTool) => {
		const own = operation.properties.filter(({ displayOptions: { show = {}, hide = {} } = {} }) => {
			const holds = ([name, allowed]: [string, unknown]) =>
				(allowed as unknown[]).includes(name === '@tool' ? asTool : given[name]);
			return Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
		});
		const labels = own.map(({ displayName, type }) =>
			asTool && type === 'resourceLocator' ? `${displayName} ID` : displayName,
		);
		expect(listShown(values, asTool)).toEqual(['Resource', 'Operation', ...labels]);
	});

	const { shape } = operation.output ?? {};
	const simplify = operation.properties.find(({ name }) => name === 'simplify');

	test('tells models that build workflows which fields Simplify returns', () => {
		const record = Object.fromEntries((shape?.fields ?? []).map((name) => [name, name]));
		const simplified = Object.keys(shapeRecord(record, { shape }, { simplify: true, options: {} }));
		const hint = shape?.simplified && `Returns ${simplified.join(', ')}, and what`;
		expect(simplify?.builderHint?.propertyHint.split(' other')[0]).toBe(hint);
	});

	test('is the label on the canvas', () => {
		const expression = /^=\{\{ (.*) \}\}$/.exec(description.subtitle ?? '')?.[1];
		const evaluate = new Function('$parameter', `return ${expression}`) as (of: object) => unknown;
		expect(evaluate(values)).toBe(`${values.operation}: ${values.resource}`);
	});
});

test('a target that was added stays when another field of the panel changes', () => {
	const given = { resource: 'pageLink', operation: 'update', updateFields: { target: {} } };
	const changed = { ...given, pageId: { __rl: true, mode: 'id', value: 'page_1' } };
	const kept = NodeHelpers.getNodeParameters(properties, changed, false, false, node, description);
	expect(kept?.updateFields).toEqual({ target: {} });
});
