import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../../api/request';
import { redactText, redactTokens } from '../redaction';
import { urlParameters } from '../registration/registeredUrl';
import type { EventKind } from '../settings';
import type { Delivery } from './delivery';

/** The body as items. The tokens are those that must not be seen. */
export function toPayload({ body, text }: Delivery, tokens: string[]): INodeExecutionData[] {
	const clean = hide(body, text, tokens);
	if (Array.isArray(clean)) {
		return clean.length
			? clean.map((each: unknown) => ({ json: toJson(each) ?? { value: each as IDataObject } }))
			: [{ json: { value: [] } }];
	}
	return [
		{
			json: toJson(clean) ?? (text === '' ? {} : { rawBody: redactTokens(text, tokens) as string }),
		},
	];
}

/** The delivery as one item, without what would let its reader send another. */
export function toDetails(
	{ body, text, headers, query }: Delivery,
	known: { eventKind: EventKind | null; deliveryKey: string; receivedAt: Date },
	tokens: string[],
): INodeExecutionData {
	return {
		json: {
			body: hide(body, text, tokens) as IDataObject,
			headers: cleanHeaders(headers, tokens),
			query: cleanQuery(query),
			eventKind: known.eventKind,
			receivedAt: known.receivedAt.toISOString(),
			deliveryKey: known.deliveryKey,
		},
	};
}

const secretHeaders = ['authorization', 'cookie', 'proxy-authorization'];

/** Proxies write the URL, with its token, into headers such as x-forwarded-uri and referer. */
function cleanHeaders(headers: IDataObject, tokens: string[]): IDataObject {
	const clean = (value: unknown): unknown =>
		typeof value === 'string'
			? redactText(value, tokens)
			: Array.isArray(value)
				? value.map(clean)
				: value;
	return Object.fromEntries(
		Object.entries(headers)
			.filter(([name]) => !secretHeaders.includes(name.toLowerCase()))
			.map(([name, value]) => [name, clean(value)]),
	) as IDataObject;
}

/** Without the parameters that this trigger itself put into the registered URL. */
function cleanQuery(query: IDataObject): IDataObject {
	const own: string[] = Object.values(urlParameters);
	return Object.fromEntries(Object.entries(query).filter(([name]) => !own.includes(name)));
}

/** A service may repeat the registered URL in its body. Bodies that do not are left as they are. */
function hide(body: unknown, text: string, tokens: string[]): unknown {
	return tokens.some((token) => text.includes(token)) ? redactTokens(body, tokens) : body;
}

function toJson(value: unknown): IDataObject | undefined {
	// A copy, because parsers make objects without the methods that others expect.
	return isObject(value) ? ({ ...value } as IDataObject) : undefined;
}
