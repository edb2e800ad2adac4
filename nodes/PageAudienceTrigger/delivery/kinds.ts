import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/request';
import { type EventKind, eventKinds } from '../../parameters/eventKinds';

const kinds: string[] = eventKinds.map(({ value }) => value);

/** Names that services use for the kind of an event. */
const namesOfKinds = ['event', 'eventType', 'event_type', 'type', 'kind', 'topic'];

/** A flat body may be a form that has fields of these names, filled in by a visitor. */
const namesInEnvelopes = ['name', 'action'];

/** What tells the kind. */
export interface Told {
	body: unknown;
	headers: IDataObject;
}

/**
 * The kind of one event, where it is told beyond doubt: under a name that services use for it, or in a header, by a
 * value that is nothing else. What is told there must agree.
 * @returns null when the kind is unknown
 */
export function recognizeKind({ body, headers }: Told): EventKind | null {
	const told = new Set([...readFields(body), ...Object.values(headers)].filter(isKind));
	const [kind = null] = told;
	return told.size === 1 ? kind : null;
}

/** The kinds that headers tell, where the body may be the same for several. */
export function listHeaderKinds(headers: Told['headers']): EventKind[] {
	return Object.values(headers).filter(isKind).sort();
}

function readFields(body: unknown): unknown[] {
	if (!isObject(body)) return [];
	const isEnvelope = Object.values(body).some(
		(value) => typeof value === 'object' && value !== null,
	);
	const names = isEnvelope ? [...namesOfKinds, ...namesInEnvelopes] : namesOfKinds;
	return names.flatMap((name) => (Object.hasOwn(body, name) ? [body[name]] : []));
}

function isKind(value: unknown): value is EventKind {
	return typeof value === 'string' && kinds.includes(value);
}
