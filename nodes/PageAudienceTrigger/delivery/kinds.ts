import { isObject } from '../../api/request';
import { eventKinds } from '../../parameters/eventKinds';
import type { EventKind } from '../settings';
import type { Delivery } from './delivery';

const kinds: string[] = eventKinds.map(({ value }) => value);

/**
 * The kind of a delivery, where it is told beyond doubt: in top-level fields of the body or in headers that hold
 * nothing else, and that agree. Deeper values hold what visitors typed.
 * @returns null when it is unknown
 */
export function recognizeKind({
	body,
	headers,
}: Pick<Delivery, 'body' | 'headers'>): EventKind | null {
	const fields = isObject(body) ? Object.values(body) : [];
	const told = new Set([...fields, ...Object.values(headers)].filter(isKind));
	return told.size === 1 ? [...told][0] : null;
}

function isKind(value: unknown): value is EventKind {
	return typeof value === 'string' && kinds.includes(value);
}
