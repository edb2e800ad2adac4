import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';

const { description } = new PageAudience();
const { properties } = description;
const node = { typeVersion: 1 };
const operations = resources.flatMap(({ value: resource, operations }) =>
	operations.map(({ value: operation }) => ({ resource, operation })),
);

// n8n does not save it: with another one, saved workflows would do something else.
test('each resource keeps the operation that it opens with', () => {
	const selects = properties.filter(({ name }) => name === 'operation');
	const usual = selects.map((each) => [each.displayOptions?.show?.resource, each.default]);
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

/** The rows of an operation's panel as it opens, without the choice of the operation, and without notices. */
function countRows(chosen: INodeParameters): number {
	const given = [true, false, node, description] as const;
	const values = NodeHelpers.getNodeParameters(properties, chosen, ...given);
	return properties.filter(
		(property) =>
			!['resource', 'operation'].includes(property.name) &&
			property.type !== 'notice' &&
			NodeHelpers.displayParameter(values!, property, node, description),
	).length;
}

test('a panel opens with few rows', () => {
	const rows = operations.map((each) => ({ ...each, count: countRows(each) }));
	const many = rows.filter(({ count }) => count > 6);
	expect(many).toEqual([{ resource: 'page', operation: 'create', count: 8 }]);
	expect(rows.reduce((sum, { count }) => sum + count, 0) / rows.length).toBeLessThan(4);
});

// n8n names the parameters of an AI tool after their labels.
test.each(operations)('a model fills in no two fields of %j with the same label', (chosen) => {
	const shown = properties.filter(({ displayOptions: { show = {}, hide = {} } = {} }) => {
		const isChosen = Object.entries(chosen).every(
			([name, value]) => show[name]?.includes(value) ?? true,
		);
		return isChosen && !hide['@tool']?.includes(true);
	});
	const labels = shown
		.filter(({ name }) => name !== 'options')
		.flatMap((field) =>
			field.type === 'collection' ? (field.options as INodeProperties[]) : field,
		)
		// It fills in neither choices nor options, and members of rows are numbered.
		.filter(({ type }) => !/^(?:options|fixedCollection|notice)$/.test(type))
		.map(({ displayName }) => displayName);
	expect(labels).toEqual([...new Set(labels)]);
});
