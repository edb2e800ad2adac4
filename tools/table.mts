/** A plain text table. */
export function formatTable(head: string[], rows: string[][]): string {
	const widths = head.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	const line = (cells: string[]): string =>
		cells
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd();
	return [head, widths.map((width) => '─'.repeat(width)), ...rows].map(line).join('\n');
}
