import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The description of the API lies beside the repository while it is worked on, and not in it. */
export const descriptionPath = join(import.meta.dirname, '../../../../shared/spec/api.md');

/** A block of tests that needs the description; where it is not there, the report says so. */
export function describeComparison(block: string, compare: () => void): void {
	if (existsSync(descriptionPath)) describe(block, compare);
	else test.skip(`${block}: not compared, ../shared/spec/api.md is not there`, () => {});
}

export type Row = Record<string, string>;

const readCells = (line: string): string[] =>
	line
		.replace(/^\||\|$/g, '')
		.split(/(?<!\\)\|/)
		.map((cell) => cell.trim().replaceAll('\\|', '|'));

/** The rows of the first table in a text, each by the names of its columns. */
export function readTable(text: string): Row[] {
	const lines = text.split('\n');
	const start = lines.findIndex((line) => line.startsWith('|'));
	if (start < 0) return [];
	const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
	const [head, , ...rows] = lines.slice(start, end < 0 ? undefined : end).map(readCells);
	return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [head[index], cell])));
}

/** What stands below each heading, down to the next of any level; `**Bold lines**` are headings too. */
export function readSections(text: string): Map<string, string> {
	const sections = new Map<string, string>();
	let heading = '';
	for (const line of text.split('\n')) {
		const found = /^#+ (.+)$/.exec(line) ?? /^\*\*(.+)\*\*$/.exec(line);
		if (found) heading = found[1];
		else sections.set(heading, `${sections.get(heading) ?? ''}${line}\n`);
	}
	return sections;
}

export const readDescription = (): Map<string, string> =>
	readSections(readFileSync(descriptionPath, 'utf8'));

/** Splits at commas, semicolons and `and` outside of brackets. */
export function splitList(text: string): string[] {
	const parts: string[] = [''];
	let depth = 0;
	for (const piece of text.split(/([(){}[\],;]| and )/)) {
		if (/^[({[]$/.test(piece)) depth++;
		if (/^[)}\]]$/.test(piece)) depth--;
		if (depth === 0 && /^([,;]| and )$/.test(piece)) parts.push('');
		else parts[parts.length - 1] += piece;
	}
	return parts.map((part) => part.trim()).filter(Boolean);
}

export interface Member {
	name: string;
	/** What stands in brackets behind the name, or in the plural behind a later one. */
	detail: string | undefined;
}

/** Reads `a`, `b` (string, min 1) and c (strings). */
export function readMembers(text: string): Member[] {
	const members = splitList(text).flatMap((part): Member[] => {
		const found = /^(?:optional )?`?(\w+)`?(?: \((.+)\))?\.?$/.exec(part);
		return found ? [{ name: found[1], detail: found[2] }] : [];
	});
	return members.map(({ name, detail }, index) => {
		const next = members.slice(index).find((member) => member.detail !== undefined)?.detail;
		return { name, detail: detail ?? (/\bstrings\b/.test(next ?? '') ? next : undefined) };
	});
}
