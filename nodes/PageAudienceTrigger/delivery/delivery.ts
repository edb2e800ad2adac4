import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { redact } from '../../api/redact';
import { type EventKind, eventKinds } from '../../parameters/fields';
import { hashText } from '../../runtime/canonical';
import { isObject, parseJson } from '../../runtime/unknown';
import type { Form } from './form';
import { isTokenLike } from './token';

/** One event of a delivery: the body, or an entry of a list. */
export interface Part {
	content: unknown;
	/** null when it is unknown */
	kind: EventKind | null;
}

/** What a delivery looks like is not documented: any body, any header and any type is accepted. */
export interface Delivery {
	/** At least one. */
	parts: Part[];
	isList: boolean;
	/** The body as it came, without the token. undefined for a multipart form, because n8n does not keep its bytes. */
	bytes?: Buffer;
	/** The bytes as text, or in base64 if they are not UTF-8. */
	text: string;
	headers: IDataObject;
	query: IDataObject;
	/** Equal for deliveries with the same content. */
	deliveryKey: string;
}

type Request = ReturnType<IWebhookFunctions['getRequestObject']>;

/** @param form the body, if it is a form */
export function readDelivery(
	{ rawBody, body: parsed, headers, query }: Request,
	form?: Form,
): Delivery {
	// A service may repeat the URL of the subscription. People who read an execution must not be able to send events.
	const token = isTokenLike(query.token) ? query.token : '';
	const clean = <T>(value: T) => redact(value, token);
	const sent = Buffer.isBuffer(rawBody) ? rawBody.toString('latin1') : undefined;
	const bytes = sent === undefined ? undefined : Buffer.from(clean(sent), 'latin1');
	const text = readText(bytes);
	const content = form ? form.content : readStructure(parsed, text);
	// Most bodies have no token, and copying a large one takes time.
	const body = token !== '' && (sent?.includes(token) ?? true) ? clean(content) : content;
	// An empty list has no entries that could be events, so it is one itself.
	const isList = Array.isArray(body) && body.length > 0;
	const kinds = Object.values(headers).filter(isKind).sort();
	return {
		parts: (isList ? body : [body]).map((each: unknown) => ({
			content: each,
			kind: recognizeKind([each, ...Object.values(form?.content ?? {})], kinds),
		})),
		isList,
		bytes,
		text,
		headers: clean({ ...headers } as IDataObject),
		query: clean({ ...(query as IDataObject) }),
		deliveryKey: hashText([...kinds, hashText(bytes ?? JSON.stringify(form ?? ''))].join()),
	};
}

function readText(bytes: Buffer | undefined): string {
	if (!bytes) return '';
	const text = bytes.toString();
	return Buffer.from(text).equals(bytes) ? text : bytes.toString('base64');
}

/** n8n's parsed body, else parsed JSON (n8n parses only bodies of exactly that content type), else the text. */
function readStructure(parsed: unknown, text: string): unknown {
	if (isStructure(parsed)) return parsed;
	const own = parseJson(text);
	return isStructure(own) ? own : text;
}

function isStructure(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

/** Fields in which services send the kind of an event. */
const kindFields = ['event', 'eventType', 'event_type', 'type', 'kind', 'topic'];

/**
 * The kind of one event, if the headers and fields that hold a kind agree.
 * @param holders the objects that may have the fields: the event and, for a form, its fields that are JSON
 */
function recognizeKind(holders: unknown[], fromHeaders: EventKind[]): EventKind | null {
	const fields = holders.filter(isObject).flatMap((each) => kindFields.map((name) => each[name]));
	const [kind = null, ...others] = new Set([...fromHeaders, ...fields.filter(isKind)]);
	return others.length === 0 ? kind : null;
}

function isKind(value: unknown): value is EventKind {
	return eventKinds.some((kind) => kind.value === value);
}
