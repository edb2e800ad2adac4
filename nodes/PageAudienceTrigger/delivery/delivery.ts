import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

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
