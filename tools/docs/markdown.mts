import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mts';

export const withStop = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** The anchor of a heading. */
export const slug = (title: string): string =>
	title
		.toLowerCase()
		.replace(/[^\w -]/g, '')
		.replaceAll(' ', '-');

export function writeTable(heads: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

export const listNames = (names: readonly string[]): string =>
	names.map((name) => `\`${name}\``).join(', ');

/** A page with a table between two comments, which name it. */
export function fillPlace(path: string, name: string, table: string): string {
	const page = readFileSync(join(root, path), 'utf8');
	const [before, rest = ''] = page.split(new RegExp(`(?<=<!-- ${name}: .+ -->\n\n)`));
	const end = `\n\n<!-- ${name} end -->`;
	if (!rest.includes(end)) throw new Error(`${path} has no place for the table ${name}`);
	return before + table + rest.slice(rest.indexOf(end));
}
