import type { Operation } from '../../nodes/PageAudience/operation/operation.ts';
import { type Schema, typeOf } from './document.mts';
import { pairs } from './pairs.mts';

export type Preview = { type: string; properties?: Record<string, Preview>; items?: Preview };

/** The schema of each operation's default output, which n8n shows before the first run. */
export const previews = pairs.map(({ name, operation, found: [endpoint] }) => {
	const { isOwn } = operation.output ?? {};
	const properties = isOwn ? {} : (pickRecord(simplifyTypes(endpoint.answer)).properties ?? {});
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
function describeAdded({ output }: Operation): Record<string, Preview> {
	const always = Object.entries(output?.adds ?? {}).filter(([, field]) => field.with === undefined);
	return Object.fromEntries(always.map(([name, field]) => [name, simplifyTypes(field)]));
}

/** The schema of one record in a response: of an entry when the response holds a list. */
function pickRecord(answer: Preview): Preview {
	const { items, interactions } = answer.properties ?? {};
	return (answer.items ?? items?.items ?? interactions?.items ?? answer) as Preview;
}

function shapeDefault(
	{ output, properties }: Operation,
	record: Record<string, Preview>,
): Record<string, Preview> {
	const simplifies = properties.find(({ name }) => name === 'simplify')?.default === true;
	const { shape } = output ?? {};
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
