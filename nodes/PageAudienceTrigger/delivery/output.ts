import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { redact } from '../../api/redact';
import { isObject } from '../../api/request';
import type { Settings } from '../settings';
import type { Delivery } from './delivery';
import type { Selection } from './kinds';
import { cleanHeaders, cleanQuery } from './redaction';

/**
 * What starts the workflow, without what would let its reader send another delivery.
 * @param tokens those that must not be seen
 */
export function toItems(
	output: Settings['output'],
	{ body, kind }: Selection,
	{ text, headers, query }: Pick<Delivery, 'text' | 'headers' | 'query'>,
	deliveryKey: string,
	tokens: string[],
): INodeExecutionData[] {
	const clean = redact(body, tokens);
	if (output === 'details') {
		const json = {
			body: clean as IDataObject,
			rawBody: redact(text, tokens),
			headers: cleanHeaders(headers, tokens),
			query: cleanQuery(query, tokens),
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
	return [{ json: text === '' ? {} : { rawBody: redact(text, tokens) } }];
}
