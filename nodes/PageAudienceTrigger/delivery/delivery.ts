import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { parseJson } from '../../api/text';
import { readForm } from './multipart';
import { type Part, readParts } from './parts';

/** The compressions that n8n undoes. */
export const decompressed = ['gzip', 'deflate'];

/** What a delivery looks like is not documented: any body, any header and any type is accepted. */
export interface Delivery {
	/** Parsed, or the text. */
	body: unknown;
	/** The events in the body, at least one. */
	parts: Part[];
	/** The body's text; empty where there is none, as of a multipart form and of what is still compressed. */
	text: string;
	/** The bytes as they came, decompressed if n8n can. */
	bytes?: Buffer;
	charset: BufferEncoding;
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
	const address = request.originalUrl ?? request.url ?? '';
	const bytes = Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
	const { encoding } = request;
	// n8n takes the name of any of Node's encodings for a charset.
	const isCode = /^(hex|base64)/.test(encoding);
	// n8n parses JSON only where the content type is exactly that of JSON.
	const isJsonType = request.contentType === 'application/json' && !isCode;
	// What n8n has parsed as JSON was not compressed, whatever the header says.
	const isText = isJsonType || !isCompressed(request.headers['content-encoding']);
	const charset = Buffer.isEncoding(encoding) && !isCode ? encoding : 'utf8';
	const text = isText ? (bytes?.toString(charset) ?? '') : '';
	const parsed = isText && !isCode ? readParsed(request) : undefined;
	const isParsed = isJsonType || (parsed !== undefined && typeof parsed !== 'string');
	const structure = isParsed ? parsed : parseStructure(text);
	const body = structure === undefined ? text : structure;
	return {
		body,
		parts: readParts({ body, headers: request.headers }),
		text,
		bytes,
		charset,
		isJson: isJsonType || (!isParsed && structure !== undefined),
		method: request.method ?? 'POST',
		headers: { ...request.headers },
		query: { ...(request.query as IDataObject) },
		rawQuery: address.includes('?') ? address.slice(address.indexOf('?') + 1) : '',
	};
}

/** Whether n8n has left the bytes compressed: it knows two compressions, by exactly these names. */
function isCompressed(encoding = ''): boolean {
	return !['', 'identity', ...decompressed].includes(encoding);
}

function readParsed({ contentType, body }: { contentType?: string; body: unknown }): unknown {
	return contentType === 'multipart/form-data' ? readForm(body) : body;
}

/** An object or a list; undefined for what is none, told by its ends where possible. */
function parseStructure(text: string): unknown {
	const isLikely = /^\s*(\{|\[)/.test(text) && /(\}|\])\s*$/.test(text.slice(-1_000));
	return isLikely ? parseJson(text) : undefined;
}
