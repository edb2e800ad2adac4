import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';

const { description } = new PageAudience();
const operations = resources.flatMap((resource) =>
	resource.operations.map(({ value }) => ({
		resource: resource.value,
		operation: value,
	})),
);

/** The rows of an operation's panel as it opens, without the choice of the operation, and without notices. */
function countRows(chosen: INodeParameters): number {
	const node = { typeVersion: 1 };
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		chosen,
		true,
		false,
		node,
		description,
	);
	return description.properties.filter(
		(property) =>
			!['resource', 'operation'].includes(property.name) &&
			property.type !== 'notice' &&
			NodeHelpers.displayParameter(values!, property, node, description),
	).length;
}

// n8n does not save it: with another one, saved workflows would do something else.
test('each resource keeps the operation that it opens with', () => {
	const selects = description.properties.filter(({ name }) => name === 'operation');
	const usual = selects.map(({ displayOptions, default: value }) => [
		displayOptions?.show?.resource,
		value,
	]);
	expect(usual).toEqual([
		[['account'], 'search'],
		[['audience'], 'getAll'],
		[['audienceSession'], 'getAll'],
		[['page'], 'search'],
		[['pageLink'], 'update'],
		[['person'], 'getAll'],
		[['personLog'], 'create'],
		[['webhookSubscription'], 'getAll'],
	]);
});

test('a panel opens with few rows', () => {
	const rows = operations.map(
		(each) => [`${each.resource}.${each.operation}`, countRows(each)] as const,
	);
	expect(rows.filter(([, count]) => count > 6)).toEqual([['page.create', 8]]);
	expect(rows.reduce((sum, [, count]) => sum + count, 0) / rows.length).toBeLessThan(4);
});

// n8n names the parameters of an AI tool after their labels.
test('a model fills in no two fields of an operation with the same label', () => {
	const listShown = (chosen: Record<string, string>) =>
		description.properties.filter(({ displayOptions: { show = {}, hide = {} } = {} }) => {
			const isInTool = !hide['@tool']?.includes(true);
			return (
				isInTool && Object.keys(chosen).every((name) => show[name]?.includes(chosen[name]) ?? true)
			);
		});
	for (const each of operations) {
		// It fills in neither choices nor options, and members of rows are numbered.
		const others = /^(?:options|fixedCollection|notice)$/;
		const labels = listShown(each)
			.filter(({ name }) => name !== 'options')
			.flatMap((field) =>
				field.type === 'collection' ? (field.options as INodeProperties[]) : [field],
			)
			.flatMap(({ type, displayName }) => (others.test(type) ? [] : [displayName]));
		expect([each, labels]).toEqual([each, [...new Set(labels)]]);
	}
});
