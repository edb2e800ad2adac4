import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { redact } from '../../api/redact';
import { isObject } from '../../api/request';
import type { Delivery } from './delivery';
import type { Selection } from './kinds';

/** The body as items. The tokens are those that must not be seen. */
export function toPayload(
	{ body }: Selection,
	{ text }: Pick<Delivery, 'text'>,
	tokens: string[],
): INodeExecutionData[] {
	const clean = redact(body, tokens);
	if (Array.isArray(clean)) {
		return clean.length
			? clean.map((each: unknown) => ({ json: toJson(each) ?? { value: each as IDataObject } }))
			: [{ json: { value: [] } }];
	}
	const json = toJson(clean);
	if (json) return [{ json }];
	return [{ json: text === '' ? {} : { rawBody: redact(text, tokens) } }];
}

function toJson(value: unknown): IDataObject | undefined {
	// A copy, because parsers make objects without the methods that others expect.
	return isObject(value) ? ({ ...value } as IDataObject) : undefined;
}
