import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

/*
 * What a delivery looks like is not documented: any body, any header and any type is accepted.
 */

/** Read no further than somebody asks: what is rejected costs nothing. */
export interface Delivery {
	/** Parsed, or the text. */
	readonly body: unknown;
	/** The body's text; empty where n8n keeps none, as of a multipart form. */
	readonly text: string;
	/** The bytes as they came, decompressed. */
	readonly bytes?: Buffer;
	/** Whether `body` is what the text says as JSON. */
	readonly isJson: boolean;
	method: string;
	headers: IDataObject;
	query: IDataObject;
	/** The query as it was written, without the question mark. */
	rawQuery: string;
}

export function readDelivery(context: IWebhookFunctions): Delivery {
	const request = context.getRequestObject();
	const address = request.originalUrl ?? request.url ?? '';
	const bytes = Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
	let read: Pick<Delivery, 'body' | 'text' | 'isJson'> | undefined;
	const content = () =>
		(read ??= readContent(request.body, bytes, request.headers['content-type']));
	return {
		get body() {
			return content().body;
		},
		get text() {
			return content().text;
		},
		get isJson() {
			return content().isJson;
		},
		bytes,
		method: request.method ?? 'POST',
		headers: { ...request.headers },
		query: { ...(request.query as IDataObject) },
		rawQuery: address.includes('?') ? address.slice(address.indexOf('?') + 1) : '',
	};
}

function readContent(
	parsed: unknown,
	bytes: Buffer | undefined,
	contentType = '',
): Pick<Delivery, 'body' | 'text' | 'isJson'> {
	const isJsonType = /^application\/json\b/i.test(contentType);
	// n8n has read plain text in the charset that it came in.
	const text = typeof parsed === 'string' && !isJsonType ? parsed : (bytes?.toString() ?? '');
	if (parsed !== undefined && typeof parsed !== 'string')
		return { text, body: parsed, isJson: isJsonType };
	if (isJsonType) return { text, body: parsed ?? text, isJson: true };
	// n8n parses JSON only where the content type is exactly that of JSON.
	const found = parseJson(text);
	return found === undefined
		? { text, body: text, isJson: false }
		: { text, body: found, isJson: true };
}

/** An object or a list; undefined for what is none, told by its ends where possible. */
function parseJson(text: string): unknown {
	if (!/^\s*(\{|\[)/.test(text) || !/(\}|\])\s*$/.test(text.slice(-1_000))) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
