import type { Operation } from '../../nodes/PageAudience/operation/operation.ts';
import { type Schema, typeOf } from './document.mts';
import { pairs } from './pairs.mts';

export type Preview = { type: string; properties?: Record<string, Preview>; items?: Preview };

/** The schema of each operation's default output, which n8n shows before the first run. */
export const previews = pairs.map(({ name, operation, parameters, request, found: [endpoint] }) => {
	const record = operation.returns
		? simplifyTypes({ type: 'object', properties: operation.returns })
		: pickRecord(simplifyTypes(endpoint.answer));
	const additions = Object.keys(operation.additions?.(parameters, request) ?? {});
	const properties = {
		...record.properties,
		...Object.fromEntries(additions.map((addition) => [addition, { type: 'string' }])),
	};
	return {
		name,
		preview: {
			type: 'object',
			properties: { ...shapeDefault(operation, properties), ...describeAdded(operation) },
			version: 1,
		},
	};
});

/** What an operation adds to every record, with Simplify, too. */
function describeAdded({ adds = {} }: Operation): Record<string, Preview> {
	return Object.fromEntries(Object.entries(adds).map(([field, type]) => [field, { type }]));
}

/** The schema of one record in a response: of an entry when the response holds a list. */
function pickRecord(answer: Preview): Preview {
	const { items, interactions } = answer.properties ?? {};
	return (answer.items ?? items?.items ?? interactions?.items ?? answer) as Preview;
}

function shapeDefault(
	{ shape, properties }: Operation,
	record: Record<string, Preview>,
): Record<string, Preview> {
	const simplifies = properties.find(({ name }) => name === 'simplify')?.default === true;
	if (!shape?.simplified || !simplifies) return record;
	return Object.fromEntries(
		shape.simplified.map((field) => {
			if (typeof field === 'string') return [field, record[field]];
			const [parent, member] = field.from;
			return [field.name, record[parent].properties?.[member] ?? { type: 'string' }];
		}),
	);
}

/** One type for each value, because n8n shows only one. Null is left out. */
function simplifyTypes(schema: Schema): Preview {
	return {
		type: typeOf(schema),
		...(schema.properties && {
			properties: Object.fromEntries(
				Object.entries(schema.properties).map(([name, member]) => [name, simplifyTypes(member)]),
			),
		}),
		...(schema.items && { items: simplifyTypes(schema.items) }),
	};
}
