import { enumerate } from '../../api/enumerate';

/** Items named for each message; more are only counted. */
const mostItems = 3;

/**
 * Each message once, with its items behind it.
 * @param total number of items; 0 names none, as in a tool call, which has one item
 */
export function groupMessages(
	failures: Array<{ messages: string[]; item: number }>,
	total: number,
): string[] {
	const itemsByMessage = new Map<string, number[]>();
	for (const { messages, item } of failures) {
		for (const message of messages) {
			const items = itemsByMessage.get(message) ?? [];
			items.push(item);
			itemsByMessage.set(message, items);
		}
	}
	return [...itemsByMessage].map(([message, items]) =>
		total === 0 ? message : `${message} [${describeItems(items, total)}]`,
	);
}

/** As listItems, or `all 20 items`. */
function describeItems(items: number[], total: number): string {
	return items.length > 1 && items.length === total ? `all ${total} items` : listItems(items);
}

/** `item 3`, `items 0, 3 and 5`, or `items 0, 3, 5 and 41 more`. */
export function listItems(items: number[]): string {
	const label = items.length === 1 ? 'item' : 'items';
	return `${label} ${enumerate(items.map(String), mostItems)}`;
}
