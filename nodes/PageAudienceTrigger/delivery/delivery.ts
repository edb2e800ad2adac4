import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { parseJson } from '../../api/parseJson';

/** What a delivery looks like is not documented: any body, any header and any type is accepted. */
export interface Delivery {
	/** Parsed, or the text. */
	body: unknown;
	/** The body's text; empty where n8n keeps none, as of a multipart form. */
	text: string;
	/** The bytes as they came, decompressed. */
	bytes?: Buffer;
	/** Whether `body` is what the text says as JSON. */
	isJson: boolean;
	method: string;
	headers: IDataObject;
	query: IDataObject;
	/** The query as it was written, without the question mark. */
	rawQuery: string;
}

export function readDelivery(context: IWebhookFunctions): Delivery {
	const request = context.getRequestObject();
	const parsed: unknown = request.body;
	const address = request.originalUrl ?? request.url ?? '';
	const bytes = Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
	const isJsonType = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
	// n8n has read plain text in the charset that it came in.
	const text = typeof parsed === 'string' && !isJsonType ? parsed : (bytes?.toString() ?? '');
	// n8n parses JSON only where the content type is exactly that of JSON.
	const isParsed = isJsonType || (parsed !== undefined && typeof parsed !== 'string');
	const body = isParsed ? parsed : parseStructure(text);
	return {
		body: body === undefined ? text : body,
		text,
		bytes,
		isJson: isJsonType || (!isParsed && body !== undefined),
		method: request.method ?? 'POST',
		headers: { ...request.headers },
		query: { ...(request.query as IDataObject) },
		rawQuery: address.includes('?') ? address.slice(address.indexOf('?') + 1) : '',
	};
}

/** An object or a list; undefined for what is none, told by its ends where possible. */
function parseStructure(text: string): unknown {
	const isLikely = /^\s*(\{|\[)/.test(text) && /(\}|\])\s*$/.test(text.slice(-1_000));
	return isLikely ? parseJson(text) : undefined;
}
