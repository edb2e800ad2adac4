import { redact } from '../../api/redact';
import { groupBy } from '../../runtime/groupBy';
import { enumerate } from '../../runtime/text';

/** Items named for each message; more are only counted. */
const mostItems = 3;

/**
 * n8n itself calls the first item 0, in its error messages and expressions. Two ways to count would be worse, so every
 * message does the same, and says so.
 */
export const countedFrom0 = 'n8n counts items from 0.';

/** Different messages in one error; more are only counted. */
const mostMessages = 10;

/**
 * Each message once, with its items in n8n's form, e.g. `Name is required [item 3]; Email is empty [items 0 and 3]`.
 * @param total number of items. The only one is not named
 */
export function groupMessages(
	failures: Array<{ messages: string[]; item: number }>,
	total: number,
): string {
	const all = failures.flatMap(({ messages, item }) => messages.map((text) => ({ text, item })));
	const texts = [...groupBy(all, ({ text }) => text)].map(([text, group]) => {
		const items = group.map(({ item }) => item);
		return total === 1 ? text : `${text} [${listItems(items, total)}]`;
	});
	return joinMessages(texts, mostMessages);
}

/** `a; b; and 3 more`, because a message may have commas of its own. */
export function joinMessages(messages: string[], most: number): string {
	const rest = messages.length - most;
	return [...messages.slice(0, most), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** `item 3`, `items 0, 3 and 5`, `items 0, 3, 5 and 41 more`, or `all 20 items`. */
function listItems(items: number[], total?: number): string {
	if (items.length > 1 && items.length === total) return `all ${total} items`;
	const label = items.length === 1 ? 'item' : 'items';
	return `${label} ${enumerate(items.map(String), mostItems)}`;
}

/** For a hint: `items 0, 3 and 5, counted from 0`. */
export const nameItems = (items: number[]): string => `${listItems(items)}, counted from 0`;

/** @param filters their labels */
export function tellBlank(filters: string[]): string {
	return filters.length === 1
		? `${filters[0]} is blank, so this filter was not applied.`
		: `${enumerate(filters)} are blank, so these filters were not applied.`;
}

/** `4,870` */
export const writeCount = (count: number): string => count.toLocaleString('en-US');

/** Messages about items that are shown; more are only counted. */
const mostHints = 3;

export class Hints {
	private readonly ofRun: string[] = [];

	private readonly ofItems = new Map<string, Set<number>>();

	/** @param item undefined for what is said of the run */
	add(message: string, item?: number): void {
		if (item === undefined) this.ofRun.push(message);
		else this.ofItems.set(message, (this.ofItems.get(message) ?? new Set()).add(item));
	}

	/**
	 * @param total number of items. A message that holds for all of them names no item
	 * @param apiKey may be the ID that a hint names
	 */
	write(total: number, apiKey: string): string[] {
		const rest = this.ofItems.size - mostHints;
		const texts = [...this.ofItems].slice(0, mostHints).map(([message, items], index) => {
			const names = () => nameItems([...items].sort((a, b) => a - b));
			// The items stand before the last full stop.
			const named = items.size < total ? `${message.replace(/\.$/, '')} [${names()}].` : message;
			const isLast = index === mostHints - 1 && rest > 0;
			return isLast
				? `${named} (And ${rest} more ${rest === 1 ? 'message' : 'messages'} like this.)`
				: named;
		});
		return [...this.ofRun, ...texts].map((message) => redact(message, apiKey));
	}
}
