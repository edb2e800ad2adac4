import type { IWebhookFunctions } from 'n8n-workflow';
import { hashText, writeCanonical } from '../../runtime/canonical';
import type { Delivery } from './delivery';
import { listHeaderKinds } from './kinds';

type Content = Pick<Delivery, 'body' | 'text' | 'bytes' | 'isJson'>;

/** The same for deliveries of the same content and kind. */
export function makeDeliveryKey(delivery: Content & Pick<Delivery, 'headers'>): string {
	const kinds = listHeaderKinds(delivery.headers);
	const content = hashBody(delivery);
	return kinds.length > 0 ? hashText([...kinds, content].join()) : content;
}

/** The same for JSON of the same content, in whatever order and layout it is written. */
function hashBody({ body, text, bytes, isJson }: Content): string {
	const exact = () => hashText(bytes ?? text);
	if (isJson ? isAmbiguous(text) : (bytes ?? text).length > 0) return exact();
	try {
		return hashText(writeCanonical(body) || text);
	} catch {
		// Nested deeper than the stack: only the very same bytes are the same then.
		return exact();
	}
}

/** Whether different texts may have been parsed to this: numbers of many digits, and bytes that are no characters. */
function isAmbiguous(text: string): boolean {
	// Backslashes are only in texts.
	const withoutTexts = text.replace(/\\./g, '').replace(/"[^"]*"/g, '');
	return text.includes('\ufffd') || /(?:\d\.?){16}|\d[eE][+-]?\d/.test(withoutTexts);
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

	forget(key: string): void {
		this.seen.delete(key);
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

/** Whether the trigger has noted an equal delivery before; if not, it has now. */
export function isDuplicate(id: string, deliveryKey: string, now = performance.now()): boolean {
	let window = windows.get(id);
	if (!window) {
		for (const [other, old] of windows) if (old.isOver(now)) windows.delete(other);
		windows.set(id, (window = new Window()));
	}
	return window.isRepeat(deliveryKey, now);
}

/** Deliveries that are noted, and whose response is still to come. */
const underWay = new Map<string, Promise<void>>();

/**
 * Whether the service was told that an equal delivery was accepted. While one is under way, the next one waits for it:
 * it takes its place when that one fails, because nobody knows whether the service sends the event again.
 * @param isAccepted whether the response to this delivery is a success
 */
export async function isRepeated(
	id: string,
	deliveryKey: string,
	isAccepted: Promise<boolean>,
): Promise<boolean> {
	const place = `${id}\n${deliveryKey}`;
	for (let other = underWay.get(place); other; other = underWay.get(place)) await other;
	if (isDuplicate(id, deliveryKey)) return true;
	const end = isAccepted.then((accepted) => {
		underWay.delete(place);
		if (!accepted) windows.get(id)?.forget(deliveryKey);
	});
	underWay.set(place, end);
	return false;
}

/**
 * Whether the response is a success in the end. n8n creates the execution after `webhook` has returned, and responds 500
 * if it cannot. A connection that is closed before the response tells the service nothing.
 */
export async function isAccepted(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	if (response.destroyed) return false;
	await new Promise<void>((resolve) => {
		response.once('finish', resolve);
		response.once('close', resolve);
	});
	return response.writableEnded && response.statusCode < 400;
}

/** Triggers whose deliveries are remembered. */
export function countWindows(): number {
	return windows.size;
}
