import { document } from '../../../tools/docs/document.mts';

/** Every object in the document, with its JSON pointer. */
function walk(node: unknown, pointer = '#'): [pointer: string, node: Record<string, unknown>][] {
	if (typeof node !== 'object' || node === null) return [];
	const members = Object.entries(node);
	const below = members.flatMap(([name, member]) => walk(member, `${pointer}/${name}`));
	return Array.isArray(node) ? below : [[pointer, Object.fromEntries(members)], ...below];
}

test('closes every object except the free-form payload, so that the sandbox rejects undocumented fields', () => {
	const open = walk(document).flatMap(([pointer, { type, additionalProperties }]) =>
		[type].flat().includes('object') && additionalProperties !== false ? pointer : [],
	);
	expect(open).toEqual([
		'#/components/schemas/PersonLogCreate/properties/payload',
		'#/components/schemas/AccountActivity/properties/payload',
	]);
});
