import { isObject } from '../../api/request';
import { eventKinds } from '../../parameters/eventKinds';
import type { EventKind } from '../settings';
import type { Delivery } from './delivery';

const kinds: string[] = eventKinds.map(({ value }) => value);

/** Names that services use for the kind of an event. */
const namesOfKinds = ['event', 'eventType', 'event_type', 'type', 'kind', 'topic'];

/** A flat body may be a form that has fields of these names, filled in by a visitor. */
const namesInEnvelopes = ['name', 'action'];

type Told = Pick<Delivery, 'body' | 'headers'>;

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

/** What of a delivery was chosen. */
export interface Selection {
	/** The body, of a batch only the elements whose kind was chosen. */
	body: unknown;
	/** The one kind that all of it shares, else null. */
	kind: EventKind | null;
}

/**
 * @param chosen null stands for an unknown kind
 * @returns undefined when all of the delivery is of kinds that were not chosen
 */
export function select(
	{ body, headers }: Told,
	chosen: Array<string | null>,
): Selection | undefined {
	const batch: unknown[] | undefined = Array.isArray(body) && body.length > 0 ? body : undefined;
	const left = (batch ?? [body])
		.map((element) => ({ element, kind: recognizeKind({ body: element, headers }) }))
		.filter(({ kind }) => chosen.includes(kind));
	if (left.length === 0) return undefined;
	const shared = new Set(left.map(({ kind }) => kind));
	const [kind = null] = shared;
	return {
		body: batch ? left.map(({ element }) => element) : body,
		kind: shared.size === 1 ? kind : null,
	};
}

function isKind(value: unknown): value is EventKind {
	return typeof value === 'string' && kinds.includes(value);
}
