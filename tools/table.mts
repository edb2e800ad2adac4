/** A plain text table. Columns of numbers are aligned to the right. */
export function formatTable(head: string[], rows: string[][]): string {
	const widths = head.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	const numeric = head.map((_, column) => rows.every((row) => /^[\d.]*$/.test(row[column] ?? '')));
	const line = (cells: string[]): string =>
		cells
			.map((cell, column) =>
				numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
			)
			.join('  ')
			.trimEnd();
	return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}
