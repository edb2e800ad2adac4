import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { eventKinds } from '../../parameters/eventKinds';
import { isObject } from '../../api/request';
import { redactText, redactTokens } from '../redact';
import type { EventKind } from '../settings';

/*
 * What a delivery looks like is not documented: any body, any header and any type is taken.
 */

export interface Delivery {
	/** Parsed, or the text. */
	body: unknown;
	/** The body's text; empty where n8n keeps none, as of a multipart form. */
	text: string;
	/** The bytes as they came, decompressed. */
	bytes?: Buffer;
	method: string;
	headers: IDataObject;
	query: IDataObject;
	/** The query as it was written, without the question mark. */
	rawQuery: string;
}

export function readDelivery(context: IWebhookFunctions): Delivery {
	const request = context.getRequestObject();
	const bytes = Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
	const parsed: unknown = request.body;
	// n8n has read plain text in the charset that it came in.
	const isPlain = typeof parsed === 'string' && !isJson(request.headers['content-type']);
	const text = isPlain ? parsed : (bytes?.toString() ?? '');
	const address = request.originalUrl ?? request.url ?? '';
	return {
		body: parsed === undefined || typeof parsed === 'string' ? readText(text, parsed) : parsed,
		text,
		bytes,
		method: request.method ?? 'POST',
		headers: { ...request.headers },
		query: { ...(request.query as IDataObject) },
		rawQuery: address.includes('?') ? address.slice(address.indexOf('?') + 1) : '',
	};
}

function isJson(contentType = ''): boolean {
	return /^application\/json\b/i.test(contentType);
}

/** n8n parses JSON only where the content type is exactly that of JSON. */
function readText(text: string, parsed: string | undefined): unknown {
	if (/^\s*[[{]/.test(text)) {
		try {
			return JSON.parse(text);
		} catch {
			return text;
		}
	}
	return parsed ?? text;
}

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
	const own = ['token', 'test', 'back'];
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
