import { type Schema, typeOf } from './document.mts';
import { type Pair, pairs } from './pairs.mts';

type Preview = { type: string; properties?: Record<string, Preview>; items?: Preview };

/** The schema of each operation's default output, which n8n shows before the first run. */
export const previews = pairs.map((pair) => ({
	name: pair.name,
	preview: {
		type: 'object',
		properties: { ...describeRecord(pair), ...describeAdded(pair) },
		version: 1,
	},
}));

function describeRecord({ operation, record }: Pair): Record<string, Preview> {
	const { isOwn, shape } = operation.output ?? {};
	const properties = isOwn ? {} : (simplifyTypes(record).properties ?? {});
	const isOn = operation.properties.find(({ name }) => name === 'simplify')?.default === true;
	if (!shape?.simplified || !isOn) return properties;
	return Object.fromEntries(
		shape.simplified.map((field) => {
			if (field !== 'publishedVersionNumber') return [field, properties[field]];
			return [field, properties.publishedVersion.properties?.versionNumber ?? { type: 'string' }];
		}),
	);
}

/** What an operation adds to every record, with Simplify, too. */
function describeAdded({ operation }: Pair): Record<string, Preview> {
	const isOn = (label: string) =>
		operation.properties.some(
			({ displayName, default: usual }) => displayName === label && usual === true,
		);
	const added = Object.entries(operation.output?.adds ?? {}).filter(
		([, { requires }]) => !requires || requires.split(' or ').some(isOn),
	);
	return simplifyMembers(Object.fromEntries(added));
}

/** One type for each value, because n8n shows only one. Null is left out. */
function simplifyTypes(schema: Schema): Preview {
	return {
		type: typeOf(schema),
		properties: schema.properties && simplifyMembers(schema.properties),
		items: schema.items && simplifyTypes(schema.items),
	};
}

function simplifyMembers(members: Record<string, Schema>): Record<string, Preview> {
	const all = Object.entries(members);
	return Object.fromEntries(all.map(([name, member]) => [name, simplifyTypes(member)]));
}
