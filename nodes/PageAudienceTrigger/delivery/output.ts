import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { EventKind } from '../../parameters/fields';
import { hashText } from '../../runtime/canonical';
import { isObject } from '../../runtime/unknown';
import type { TriggerSettings } from '../settings';
import type { Delivery, Part } from './delivery';

/**
 * The parts of each output. The last output gets the parts of all other kinds.
 * @param kinds the kinds that have an output of their own
 */
export function divide(parts: Part[], kinds: EventKind[]): Part[][] {
	const isOther = ({ kind }: Part) => kind === null || !kinds.includes(kind);
	return [...kinds.map((each) => parts.filter(({ kind }) => kind === each)), parts.filter(isOther)];
}

/** @returns the items of each output */
export function toDeliveryItems(
	format: TriggerSettings['outputFormat'],
	outputs: Part[][],
	delivery: Delivery,
): INodeExecutionData[][] {
	if (format === 'payload')
		return outputs.map((parts) => parts.map((part) => ({ json: toPayload(part, delivery) })));
	const isDivided = outputs.filter((parts) => parts.length > 0).length > 1;
	return outputs.map((parts) =>
		parts.length > 0 ? [{ json: toDetails(parts, delivery, isDivided) }] : [],
	);
}

function toPayload({ content }: Part, { isList, text }: Delivery): IDataObject {
	// A copy, because parsers make objects without the methods that others expect.
	if (isObject(content)) return { ...(content as IDataObject) };
	if (isList || Array.isArray(content)) return { value: content as IDataObject };
	return text === '' ? {} : { rawBody: text };
}

function toDetails(parts: Part[], delivery: Delivery, isDivided: boolean): IDataObject {
	const { isList, text, headers, query, deliveryKey } = delivery;
	const contents = parts.map(({ content }) => content);
	const [kind = null, ...others] = new Set(parts.map((part) => part.kind));
	const eventKind = others.length === 0 ? kind : null;
	return {
		body: (isList ? contents : contents[0]) as IDataObject,
		rawBody: text,
		headers: omit(headers, (name) => secretName.test(name)),
		query: omit(query, (name) => name === 'token'),
		eventKind,
		receivedAt: new Date().toISOString(),
		// Two items with one key would count as one record in the next nodes.
		deliveryKey: isDivided ? hashText([deliveryKey, eventKind].join()) : deliveryKey,
	};
}

/** Headers that may hold credentials, of n8n or of any other system. */
const secretName =
	/(^|[-_])(assertion|auth|authorization|api[-_]?key|cookie2?|jwt|oidc|passw(or)?d|principal|secret|token)([-_]|$)|client[-_]cert|^cf-access-|^x-goog-(iap|authenticated)-/i;

function omit(values: IDataObject, isOmitted: (name: string) => boolean): IDataObject {
	const kept = Object.entries(values).filter(([name]) => !isOmitted(name));
	return Object.fromEntries(kept) as IDataObject;
}
