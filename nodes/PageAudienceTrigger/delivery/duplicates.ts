import { hashText, writeCanonical } from '../../runtime/canonical';
import type { Delivery } from './delivery';

/** The same for JSON of the same content, in whatever order and layout it is written. */
export function makeDeliveryKey({
	body,
	text,
	bytes,
	isJson,
}: Pick<Delivery, 'body' | 'text' | 'bytes' | 'isJson'>): string {
	const exact = () => hashText(bytes ?? text);
	if (isJson ? isAmbiguous(text) : text !== '') return exact();
	try {
		return hashText(writeCanonical(body) || text);
	} catch {
		// Nested deeper than the stack: only the very same bytes are the same then.
		return exact();
	}
}

/** Whether different texts may have been parsed to this: numbers of many digits, and bytes that are no characters. */
function isAmbiguous(text: string): boolean {
	return text.includes('\ufffd') || /(?:\d\.?){16}|\d[eE][+-]?\d/.test(text);
}

const most = 1_000;
const longestMs = 24 * 60 * 60_000;

/** The last deliveries of one trigger. It forgets what is too old, and the oldest of too many. */
export class Window {
	private readonly seen = new Map<string, number>();

	/** Whether the key has come before; if not, it has now. */
	isRepeat(key: string, now: number): boolean {
		for (const [oldest, at] of this.seen) {
			if (now - at < longestMs) break;
			this.seen.delete(oldest);
		}
		if (this.seen.has(key)) return true;
		this.seen.set(key, now);
		const [oldest] = this.seen.keys();
		if (this.seen.size > most && oldest !== undefined) this.seen.delete(oldest);
		return false;
	}

	isOver(now: number): boolean {
		return [...this.seen.values()].every((at) => now - at >= longestMs);
	}
}

/*
 * In this process's memory: n8n does not save what a delivery writes to static data when it starts an execution. So a
 * restart forgets, and n8n's webhook processes do not know of each other.
 */
const windows = new Map<string, Window>();

/** Whether the trigger has accepted an equal delivery before. */
export function isDuplicate(id: string, deliveryKey: string, now = Date.now()): boolean {
	let window = windows.get(id);
	if (!window) {
		for (const [other, old] of windows) if (old.isOver(now)) windows.delete(other);
		windows.set(id, (window = new Window()));
	}
	return window.isRepeat(deliveryKey, now);
}

/** Triggers whose deliveries are remembered. */
export function countWindows(): number {
	return windows.size;
}
