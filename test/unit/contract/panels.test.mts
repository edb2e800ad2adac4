import type { INodeProperties } from 'n8n-workflow';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';

// n8n names the parameters of an AI tool after their labels.
test('a model fills in no two fields of an operation with the same label', () => {
	const { properties } = new PageAudience().description;
	const listShown = (chosen: Record<string, string>) =>
		properties.filter(({ displayOptions: { show = {}, hide = {} } = {} }) => {
			const isInTool = !hide['@tool']?.includes(true);
			return (
				isInTool && Object.keys(chosen).every((name) => show[name]?.includes(chosen[name]) ?? true)
			);
		});
	const operations = resources.flatMap((resource) =>
		resource.operations.map(({ value }) => ({
			resource: resource.value,
			operation: value,
		})),
	);
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
