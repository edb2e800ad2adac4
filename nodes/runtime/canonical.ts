import { hash } from 'node:crypto';

/** 64 hexadecimal digits that are the same for the same content, whatever the order of its fields. */
export const hashContent = (content: unknown): string => hashText(writeCanonical(content));

export const hashText = (text: string | Buffer): string => hash('sha256', text, 'hex');

/**
 * JSON with the members of every object in order of their names.
 * @throws {RangeError} for content that is nested deeper than the stack
 */
export function writeCanonical(value: unknown): string {
	// From entries, so that a field named __proto__ counts like any other.
	const sort = (_: string, member: unknown) =>
		typeof member === 'object' && member !== null && !Array.isArray(member)
			? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
			: member;
	return JSON.stringify(value, sort) ?? '';
}
