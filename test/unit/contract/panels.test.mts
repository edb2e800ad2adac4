import type { INodeProperties, INodeType } from 'n8n-workflow';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';
import { PageAudiencePollingTrigger } from '../../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';

/** Each parameter, wherever it stands in the panel. */
function listParameters(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const { type, options = [] } = property;
		if (type === 'collection') return [property, ...listParameters(options as INodeProperties[])];
		const rows = options.flatMap((option) => ('values' in option ? option.values : []));
		return [property, ...listParameters(rows)];
	});
}

describe.each<[name: string, node: INodeType]>([
	['Page Audience', new PageAudience()],
	['Page Audience Trigger', new PageAudienceTrigger()],
	['Page Audience Polling Trigger', new PageAudiencePollingTrigger()],
])('the panel of %s', (_, { description }) => {
	const parameters = listParameters(description.properties);

	test('sorts five and more fields by label, as n8n does, because its lint reads only literals', () => {
		const groups = parameters.flatMap(({ type, options = [] }) =>
			type === 'collection'
				? [options as INodeProperties[]]
				: options.flatMap((option) => ('values' in option ? [option.values] : [])),
		);
		for (const group of groups.filter(({ length }) => length > 4)) {
			const labels = group.map(({ displayName }) => displayName);
			expect(labels).toEqual(labels.toSorted((one, other) => one.localeCompare(other)));
		}
	});

	test('describes each text in words that begin with a capital letter, without a lone full stop', () => {
		for (const { description } of parameters.filter(({ type }) => type === 'string')) {
			if (description === undefined) continue;
			expect(description).toMatch(/^[A-Z]/);
			if (!description.includes('. ')) expect(description).not.toMatch(/\.$/);
		}
	});
});

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
		resource.operations.map(({ option }) => ({
			resource: resource.option.value,
			operation: option.value,
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
