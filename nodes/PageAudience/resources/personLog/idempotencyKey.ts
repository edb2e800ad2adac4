import { createHash } from 'node:crypto';

/** A key of 64 hexadecimal digits that is the same for the same content, whatever the order of its fields. */
export function hashContent(content: unknown): string {
	return createHash('sha256').update(writeCanonical(content)).digest('hex');
}

/** JSON with the members of every object in order of their names. */
function writeCanonical(value: unknown): string {
	return JSON.stringify(value, (_, member: unknown) =>
		typeof member === 'object' && member !== null && !Array.isArray(member)
			? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
			: member,
	);
}
