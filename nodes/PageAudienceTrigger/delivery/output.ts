import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../../api/request';
import { redactText, redactTokens } from '../redaction';
import { allUrlParameters } from '../address/registeredUrl';
import type { Delivery } from './delivery';
import { isSecret } from './headers';
import type { Selection } from './kinds';

/** The body as items. The tokens are those that must not be seen. */
export function toPayload(
	{ body }: Selection,
	{ text }: Pick<Delivery, 'text'>,
	tokens: string[],
): INodeExecutionData[] {
	const clean = hide(body, text, tokens);
	if (Array.isArray(clean)) {
		return clean.length
			? clean.map((each: unknown) => ({ json: toJson(each) ?? { value: each as IDataObject } }))
			: [{ json: { value: [] } }];
	}
	const json = toJson(clean);
	if (json) return [{ json }];
	return [{ json: text === '' ? {} : { rawBody: redactTokens(text, tokens) as string } }];
}

/** The delivery as one item, without what would let its reader send another. */
export function toDetails(
	{ body, kind }: Selection,
	{ text, headers, query }: Delivery,
	known: { deliveryKey: string; receivedAt: Date },
	tokens: string[],
): INodeExecutionData {
	return {
		json: {
			body: hide(body, text, tokens) as IDataObject,
			rawBody: redactTokens(text, tokens) as string,
			headers: cleanHeaders(headers, tokens),
			query: redactTokens(cleanQuery(query), tokens) as IDataObject,
			eventKind: kind,
			receivedAt: known.receivedAt.toISOString(),
			deliveryKey: known.deliveryKey,
		},
	};
}

/** Proxies write the URL, with its token, into headers such as x-forwarded-uri and referer. */
function cleanHeaders(headers: IDataObject, tokens: string[]): IDataObject {
	const kept = Object.entries(headers).filter(([name]) => !isSecret(name));
	return redactHeaders(Object.fromEntries(kept) as IDataObject, tokens);
}

export function redactHeaders(headers: IDataObject, tokens: string[]): IDataObject {
	const clean = (value: unknown): unknown =>
		typeof value === 'string'
			? redactText(value, tokens)
			: Array.isArray(value)
				? value.map(clean)
				: value;
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, clean(value)]),
	) as IDataObject;
}

/** Without the parameters that this trigger itself put into the registered URL. */
function cleanQuery(query: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(query).filter(([name]) => !allUrlParameters.includes(name)),
	);
}

/**
 * A service may repeat the registered URL in its body. Bodies that do not are left as they are; a text with escapes may
 * hold the token in other letters.
 */
function hide(body: unknown, text: string, tokens: string[]): unknown {
	const isClean =
		text !== '' && !/[\\%&]/.test(text) && !tokens.some((token) => text.includes(token));
	return isClean ? body : redactTokens(body, tokens);
}

function toJson(value: unknown): IDataObject | undefined {
	// A copy, because parsers make objects without the methods that others expect.
	return isObject(value) ? ({ ...value } as IDataObject) : undefined;
}
