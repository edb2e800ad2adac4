import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { mark, redact } from './redact';
import { isObject } from '../../api/request';
import { hashText } from '../../runtime/canonical';
import type { Settings } from '../settings';
import type { Delivery } from './delivery';
import { makeDeliveryKey } from './duplicates';
import { isBatch, type Part, readSharedKind } from './parts';
import { cleanHeaders, cleanQuery } from './redaction';

type Content = Pick<Delivery, 'body' | 'text' | 'charset' | 'bytes'>;

/**
 * What starts the workflow, without what would let its reader send another delivery.
 * @param outputs the parts for each output
 * @param secrets not to be seen
 * @returns the items of each output
 */
export function toItems(
	output: Settings['output'],
	outputs: Part[][],
	delivery: Content & Pick<Delivery, 'isJson' | 'headers' | 'query'>,
	secrets: string[],
): INodeExecutionData[][] {
	const rawBody = cleanText(delivery, secrets);
	const isList = isBatch(delivery.body);
	const clean = (parts: Part[]): unknown => {
		if (rawBody === mark) return mark;
		const contents = parts.map(({ content }) => content);
		return redact(isList ? contents : contents[0], secrets);
	};
	if (output === 'payload') {
		const toPayload = (body: unknown): INodeExecutionData[] => {
			if (isList && Array.isArray(body)) return body.map(toItem);
			if (typeof body === 'object' && body !== null) return [toItem(body)];
			return [{ json: delivery.text === '' ? {} : { rawBody } }];
		};
		return outputs.map((parts) => (parts.length > 0 ? toPayload(clean(parts)) : []));
	}
	const deliveryKey = makeDeliveryKey(delivery);
	const receivedAt = new Date().toISOString();
	const isDivided = outputs.filter((parts) => parts.length > 0).length > 1;
	return outputs.map((parts) => {
		if (parts.length === 0) return [];
		const eventKind = readSharedKind(parts);
		const json = {
			body: clean(parts) as IDataObject,
			rawBody,
			headers: cleanHeaders(delivery.headers, secrets),
			query: cleanQuery(delivery.query, secrets),
			eventKind,
			receivedAt,
			// Two items with one key would count as one record in the next nodes.
			deliveryKey: isDivided ? hashText([deliveryKey, eventKind].join()) : deliveryKey,
		};
		return [{ json }];
	});
}

function toItem(value: unknown): INodeExecutionData {
	// A copy, because parsers make objects without the methods that others expect.
	return {
		json: isObject(value) ? { ...(value as IDataObject) } : { value: value as IDataObject },
	};
}

/**
 * n8n reads bytes as UTF-16 if the sender says so. If they are not, a secret in them reads as other letters, from which
 * anyone can get the bytes back. Such a text is hidden as a whole.
 */
function cleanText({ text, charset, bytes }: Content, secrets: string[]): string {
	const clean = redact(text, secrets);
	if (!bytes || !/^u(tf-?16|cs)/i.test(charset)) return clean;
	// Of an odd number of bytes the last one is not in the text.
	const rest = bytes.subarray(bytes.length - (bytes.length % 2));
	const read = Buffer.concat([Buffer.from(clean, charset), rest]).toString('latin1');
	return redact(read, secrets) === read ? clean : mark;
}
