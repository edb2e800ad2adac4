import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { mark, redact } from '../../api/redact';
import { isObject } from '../../api/request';
import type { Settings } from '../settings';
import type { Delivery } from './delivery';
import type { Selection } from './kinds';
import { cleanHeaders, cleanQuery } from './redaction';

type Content = Pick<Delivery, 'text' | 'charset' | 'bytes'>;

/**
 * What starts the workflow, without what would let its reader send another delivery.
 * @param tokens those that must not be seen
 */
export function toItems(
	output: Settings['output'],
	{ body, kind }: Selection,
	delivery: Content & Pick<Delivery, 'headers' | 'query'>,
	deliveryKey: string,
	tokens: string[],
): INodeExecutionData[] {
	const rawBody = cleanText(delivery, tokens);
	const clean = rawBody === mark ? mark : redact(body, tokens);
	if (output === 'details') {
		const json = {
			body: clean as IDataObject,
			rawBody,
			headers: cleanHeaders(delivery.headers, tokens),
			query: cleanQuery(delivery.query, tokens),
			eventKind: kind,
			receivedAt: new Date().toISOString(),
			deliveryKey,
		};
		return [{ json }];
	}
	const toItem = (value: unknown): INodeExecutionData =>
		// A copy, because parsers make objects without the methods that others expect.
		({ json: isObject(value) ? { ...(value as IDataObject) } : { value: value as IDataObject } });
	if (Array.isArray(clean)) return (clean.length > 0 ? clean : [clean]).map(toItem);
	if (isObject(clean)) return [toItem(clean)];
	return [{ json: delivery.text === '' ? {} : { rawBody } }];
}

/**
 * n8n reads bytes as UTF-16 if the sender says so. If they are not, a token in them reads as other letters, from which
 * anyone can get the bytes back. Such a text is hidden as a whole.
 */
function cleanText({ text, charset, bytes }: Content, tokens: string[]): string {
	const clean = redact(text, tokens);
	if (!bytes || !/^u(tf-?16|cs)/i.test(charset)) return clean;
	// Of an odd number of bytes the last one is not in the text.
	const rest = bytes.subarray(bytes.length - (bytes.length % 2));
	const read = Buffer.concat([Buffer.from(clean, charset), rest]).toString('latin1');
	return redact(read, tokens) === read ? clean : mark;
}
