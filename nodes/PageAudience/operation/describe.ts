import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from './operation';

const resourceSelect: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: '',
};

const operationSelect: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: '',
};

/** The node's parameters: the Resource select, one Operation select per resource, and each operation's own. */
export function describeResources(resources: Resource[]): INodeProperties[] {
	return [
		{ ...resourceSelect, default: 'personLog', options: resources.map(({ option }) => option) },
		...resources.map(({ option, operations }) => ({
			...operationSelect,
			displayOptions: { show: { resource: [option.value] } },
			default: operations[0].option.value,
			options: operations.map((operation) => operation.option),
		})),
		...resources.flatMap(({ option, operations }) =>
			operations.flatMap((operation) =>
				operation.properties.map((property) =>
					showFor(property, option.value, operation.option.value),
				),
			),
		),
	];
}

function showFor(property: INodeProperties, resource: string, operation: string): INodeProperties {
	const { show = {}, ...rest } = property.displayOptions ?? {};
	return {
		...property,
		displayOptions: { ...rest, show: { resource: [resource], operation: [operation], ...show } },
	};
}
