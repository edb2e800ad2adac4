import { type Schema, typeOf } from './document.mts';
import { pairs } from './pairs.mts';
import { listNames, slug } from './markdown.mts';

export type Pair = (typeof pairs)[number];

/** @param seen by fields, the operation that lists them, so that they are listed once */
export function describeOutput(title: string, pair: Pair, seen: Map<string, string>): string {
	const { operation, parameters, request } = pair;
	const { answer } = pair.found[0];
	const { items, interactions } = answer.properties ?? {};
	const list = answer.items ?? items?.items ?? interactions?.items;
	const fields = listFields(list ?? answer);
	const before = seen.get(fields);
	seen.set(fields, before ?? title);
	const added = Object.keys(operation.additions?.(parameters, request) ?? {});
	const { shape, paging } = operation;
	const isOn = operation.properties.find(({ name }) => name === 'simplify')?.default === true;
	const simplified = shape?.simplified.map((each) => (typeof each === 'string' ? each : each.name));
	return [
		`**Output**: ${list ? 'one item per record' : 'one item'}${paging ? `, read in pages by ${paging.parameter}` : ''}. ` +
			(before ? `Same fields as [${before}](#${slug(before)}).` : `Fields: ${fields}.`),
		...(added.length ? [`Added by the node: ${listNames(added)}.`] : []),
		...(simplified
			? [`With Simplify (${isOn ? 'on' : 'off'} by default): ${listNames(simplified)}.`]
			: []),
	].join(' ');
}

/** `name` text or null, `linkedPersons` list of objects (`personId`, …). */
function listFields({ properties = {} }: Schema): string {
	return Object.entries(properties)
		.map(([name, schema]) => {
			const members = Object.keys((schema.items ?? schema).properties ?? {});
			const inside = members.length ? ` (${listNames(members)})` : '';
			const orNull = [schema.type].flat().includes('null') ? ' or null' : '';
			return `\`${name}\` ${describeType(schema)}${inside}${orNull}`;
		})
		.join(', ');
}

function describeType(schema: Schema): string {
	const type = typeOf(schema);
	const words: Record<string, string> = { string: 'text', integer: 'whole number' };
	if (schema.enum) return `one of ${listNames(schema.enum.filter(Boolean))}`;
	if (type !== 'array') return words[type] ?? type;
	const { enum: choices, ...items } = schema.items ?? {};
	const each = choices ? `, each one of ${listNames(choices)}` : '';
	return `list of ${describeType(items)}s${each}`;
}
