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
