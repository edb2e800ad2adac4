import { nameSchema, type Schema } from './document.mts';
import { listNames, slug } from './markdown.mts';
import { type Pair, pairs } from './pairs.mts';

/** What the operations return: each kind of record once, with the operations that return it. */
const kinds = Map.groupBy(
	pairs.filter(({ operation }) => !operation.output?.isOwn),
	({ recordName }) => recordName,
);

export const writeRecords = (): string =>
	[...kinds]
		.map(([name, [pair]]) => `### ${titleOf(name)}\n\n${describeRecord(pair)}`)
		.join('\n\n');

const titleOf = (name: string): string => `${name} fields`;

/** The record, or a list of records, and what the node adds. */
export function describeOutput({ operation, record, recordName, isList }: Pair): string {
	const { adds = {}, isOwn } = operation.output ?? {};
	if (isOwn) return listFields(record);
	const added = [...Map.groupBy(Object.entries(adds), ([, { requires }]) => requires)].map(
		([label, fields]) => {
			const names = listNames(fields.map(([name]) => name));
			return label === undefined ? `, and ${names}` : `. With ${label}: ${names}`;
		},
	);
	return `[${recordName}](#${slug(titleOf(recordName))})${isList ? ' list' : ''}${added.join('')}`;
}

/** The fields that Simplify keeps are bold. */
function describeRecord({ operation, record }: Pair): string {
	const simplified = operation.output?.shape?.simplified ?? [];
	const fields = Object.keys(record.properties ?? {});
	const added = simplified.filter((name) => !fields.includes(name));
	const more = added.length > 0 ? ` Simplify adds ${listNames(added)}.` : '';
	return `${listFields(record, simplified)}.${more}`;
}

/** `domain`, `name`?, `linkedPersons` list (`personId`, …). */
function listFields({ properties = {} }: Schema, bold: readonly string[] = []): string {
	const fields = Object.entries(properties).map(([name, schema]) => {
		const kind = nameSchema(schema.items ?? schema);
		const members = Object.keys((schema.items ?? schema).properties ?? {});
		// Longer ones have a list or a record of their own.
		const isKnown = kinds.has(kind);
		const inside =
			members.length > 0 && members.length <= 10 ? ` (${isKnown ? kind : listNames(members)})` : '';
		const mark = [schema.type].flat().includes('null') ? '?' : '';
		const shown = (bold.includes(name) ? `**\`${name}\`**` : `\`${name}\``) + mark;
		return [shown, describeType(schema)].filter(Boolean).join(' ') + inside;
	});
	return fields.join(', ');
}

/** Of most fields, the name says whether it is a text, a number or a switch. */
function describeType({ type, enum: choices }: Schema): string {
	if (choices) return `(${listNames(choices.filter(Boolean))})`;
	const words: Record<string, string> = { array: 'list', object: 'object' };
	return [type ?? []]
		.flat()
		.map((each) => words[each] ?? '')
		.join('');
}
