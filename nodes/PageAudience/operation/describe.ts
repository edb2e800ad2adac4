import type { INodeProperties } from 'n8n-workflow';
import { labelOf } from '../../parameters/read';
import type { Operation, Resource } from './operation';

const select = { type: 'options', noDataExpression: true } as const;

/** The node's parameters: the Resource select, one Operation select per resource, and each operation's own. */
export function describeResources(resources: Resource[]): INodeProperties[] {
	return [
		{
			...select,
			displayName: 'Resource',
			name: 'resource',
			default: 'personLog',
			options: resources.map(({ name, value }) => ({ name, value })),
		},
		...resources.map(({ value, operations }) => ({
			...select,
			displayName: 'Operation',
			name: 'operation',
			displayOptions: { show: { resource: [value] } },
			default: chooseFirst(operations),
			options: operations.map(toOption),
		})),
		...resources.flatMap(({ value, operations }) =>
			operations.flatMap((operation) =>
				operation.properties
					.flatMap(labelForModels)
					.map((property) => showFor(property, value, operation.value)),
			),
		),
	];
}

function toOption({ name, value, action, description, forModels }: Operation) {
	const hint = forModels !== undefined && { builderHint: { propertyHint: forModels } };
	return { name, value, action, description, ...hint };
}

/** The operation that a resource opens with. n8n saves no default, so a new operation must never become it. */
function chooseFirst(operations: Operation[]): string | undefined {
	const usual = ['getAll', 'search', 'update', 'create'];
	return usual.find((wanted) => operations.some(({ value }) => value === wanted));
}

function showFor(property: INodeProperties, resource: string, operation: string): INodeProperties {
	const { show = {}, ...rest } = property.displayOptions ?? {};
	return {
		...property,
		displayOptions: { ...rest, show: { resource: [resource], operation: [operation], ...show } },
	};
}

/** A model has no list to choose a record from, so the label that it reads says that an ID is wanted. */
function labelForModels(property: INodeProperties): INodeProperties[] {
	if (property.type !== 'resourceLocator') return [property];
	const { displayOptions = {} } = property;
	const { show, hide } = displayOptions;
	if (hide?.['@tool']) return [property];
	return [
		{ ...property, displayOptions: { ...displayOptions, hide: { ...hide, '@tool': [true] } } },
		{
			...property,
			displayName: labelOf(property, true),
			displayOptions: { ...displayOptions, show: { ...show, '@tool': [true] } },
		},
	];
}
