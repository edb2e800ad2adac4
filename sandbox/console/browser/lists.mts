import type { Entries, Kind, Shown } from '../entries.mts';

const rows = new Map<string, { item: HTMLLIElement; text: string }>();
const listed = new Set<Kind>();

function makeRow(open: () => void): HTMLLIElement {
	const item = document.createElement('li');
	const button = document.createElement('button');
	button.addEventListener('click', open);
	item.append(button);
	return item;
}

/** Shows the list. Rows that stay are not moved, so that one that has the focus keeps it. */
export function showList<K extends Kind>(
	kind: K,
	{ total, entries }: Shown<K>,
	fill: (row: Element, entry: Entries[K]) => void,
	open: (id: string) => void,
): void {
	const list = document.querySelector(`[data-list="${kind}"]`);
	const count = document.querySelector(`[data-total="${kind}"]`);
	if (!list || !count) return;
	const keyOf = (id: string) => `${kind} ${id}`;
	const wanted = new Set(entries.map(({ id }) => keyOf(id)));
	for (const [key, { item }] of rows) {
		if (!key.startsWith(keyOf('')) || wanted.has(key)) continue;
		item.remove();
		rows.delete(key);
	}
	entries.forEach((entry, index) => {
		const key = keyOf(entry.id);
		const row = rows.get(key) ?? { item: makeRow(() => open(entry.id)), text: '' };
		const text = JSON.stringify(entry);
		if (row.text !== text) {
			fill(row.item.firstElementChild ?? row.item, entry);
			// What was there when the page was opened is no news.
			if (listed.has(kind)) flash(row.item);
		}
		rows.set(key, { item: row.item, text });
		if (list.children[index] !== row.item) list.insertBefore(row.item, list.children[index]);
	});
	listed.add(kind);
	count.textContent =
		total > entries.length ? `${total}, the newest ${entries.length} are shown` : String(total);
}

function flash(item: HTMLElement): void {
	item.classList.remove('news');
	// Reading a size makes the browser see the class go, so that the animation starts again.
	void item.offsetWidth;
	item.classList.add('news');
}
