import { type Schema, typeOf } from './document.mts';
import { pairs } from './pairs.mts';
import { listNames, slug } from './markdown.mts';

export type Pair = (typeof pairs)[number];

/** Fields in words, and the title of the operation that lists them, so that they are listed once. */
export type Listed = Map<string, string>;

/** The first operation with each record. One that is the endpoint itself comes before those that only use it. */
export function findListed(titles: ReadonlyArray<readonly [title: string, pair: Pair]>): Listed {
	const listed: Listed = new Map();
	for (const isDirect of [true, false]) {
		for (const [title, pair] of titles) {
			if ((pair.operation.uses === undefined) !== isDirect) continue;
			const fields = listFields(findRecord(pair).record);
			if (!listed.has(fields)) listed.set(fields, title);
		}
	}
	return listed;
}

/** The schema of one record of the output. */
function findRecord({ operation, found: [{ answer }] }: Pair): { record: Schema; isList: boolean } {
	const { isOwn, adds } = operation.output ?? {};
	if (isOwn) return { record: { properties: adds }, isList: false };
	const { items, interactions } = answer.properties ?? {};
	const entry = answer.items ?? items?.items ?? interactions?.items;
	return { record: entry ?? answer, isList: entry !== undefined && operation.uses === undefined };
}

export function describeOutput(title: string, pair: Pair, listed: Listed): string {
	const { operation } = pair;
	const { record, isList } = findRecord(pair);
	const fields = listFields(record);
	const before = listed.get(fields);
	const { paging } = operation;
	const { shape, adds = {}, isOwn } = operation.output ?? {};
	const added = Object.entries(isOwn ? {} : adds);
	const always = added.filter(([, field]) => field.with === undefined).map(([name]) => name);
	const labels = new Set(added.flatMap(([, field]) => field.with ?? []));
	const isOn = operation.properties.find(({ name }) => name === 'simplify')?.default === true;
	const simplified = shape?.simplified?.map((each) =>
		typeof each === 'string' ? each : each.name,
	);
	return [
		`**Output**: ${isList ? 'one item per record' : 'one item'}${paging ? `, read in pages by ${paging}` : ''}. ` +
			(before !== undefined && before !== title
				? `Same fields as [${before}](#${slug(before)}).`
				: `Fields: ${fields}.`),
		...(always.length ? [`Added by the node: ${listNames(always)}.`] : []),
		...[...labels].map((label) => {
			const names = added.filter(([, field]) => field.with === label).map(([name]) => name);
			return `With ${label}: ${listNames(names)}.`;
		}),
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
