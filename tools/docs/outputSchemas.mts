import type { Operation } from '../../nodes/PageAudience/operation/operation.ts';
import { type Schema, typeOf } from './document.mts';
import { pairs } from './pairs.mts';

export type Preview = { type: string; properties?: Record<string, Preview>; items?: Preview };

/** For each operation what n8n shows as its output before the first run: the form of its default output. */
export const previews = pairs.map(({ name, operation, parameters, request, found: [endpoint] }) => {
	const answer = simplifyTypes(endpoint.answer);
	const record = pickRecord(answer);
	const additions = Object.keys(operation.additions?.(parameters, request) ?? {});
	const properties = {
		...record.properties,
		...Object.fromEntries(additions.map((addition) => [addition, { type: 'string' }])),
	};
	return {
		name,
		preview: { type: 'object', properties: shapeDefault(operation, properties), version: 1 },
	};
});

/** The form of one record in an answer: of a list's entry where the answer holds a list. */
function pickRecord(answer: Preview): Preview {
	const { items, interactions } = answer.properties ?? {};
	return (answer.items ?? items?.items ?? interactions?.items ?? answer) as Preview;
}

function shapeDefault(
	{ shape, properties }: Operation,
	record: Record<string, Preview>,
): Record<string, Preview> {
	const simplifies = properties.find(({ name }) => name === 'simplify')?.default === true;
	if (!shape || !simplifies) return record;
	return Object.fromEntries(
		shape.simplified.map((field) => {
			if (typeof field === 'string') return [field, record[field]];
			const [parent, member] = field.from;
			return [field.name, record[parent].properties?.[member] ?? { type: 'string' }];
		}),
	);
}

/** One type for each value, the one that it has when it is not null, because n8n shows one. */
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
