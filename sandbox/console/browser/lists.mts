import type { Entries, Kind, Shown } from '../entries.mts';

const rows = new Map<string, { row: HTMLTableRowElement; text: string }>();
const filled = new Set<Kind>();

/** Updates a list. Unchanged rows stay in place, so that a focused link keeps the focus. */
export function showList<K extends Kind>(
	kind: K,
	{ total, entries }: Shown<K>,
	makeRow: (link: string, entry: Entries[K]) => HTMLTableRowElement,
): void {
	const list = document.querySelector(`[data-list="${kind}"]`);
	const count = document.querySelector(`[data-total="${kind}"]`);
	if (!list || !count) return;
	const linkOf = (id: string) => `${kind}/${encodeURIComponent(id)}`;
	const wanted = new Set(entries.map(({ id }) => linkOf(id)));
	for (const [link, { row }] of rows) {
		if (!link.startsWith(`${kind}/`) || wanted.has(link)) continue;
		row.remove();
		rows.delete(link);
	}
	entries.forEach((entry, index) => {
		const link = linkOf(entry.id);
		const text = JSON.stringify(entry);
		const known = rows.get(link);
		const row = known?.text === text ? known.row : makeRow(link, entry);
		if (row !== known?.row) {
			known?.row.remove();
			// Rows that were there when the page opened are not news.
			row.classList.toggle('news', filled.has(kind));
			rows.set(link, { row, text });
		}
		if (list.children[index] !== row) list.insertBefore(row, list.children[index]);
	});
	filled.add(kind);
	count.textContent =
		total > entries.length ? `newest ${entries.length} of ${total}` : String(total);
}
