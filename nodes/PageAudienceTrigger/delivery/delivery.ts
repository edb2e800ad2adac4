import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { isTokenLike } from '../../api/ownWebhooks';
import { redact } from '../../api/redact';
import { isObject } from '../../api/request';
import { parseJson } from '../../api/text';
import { type EventKind, eventKinds } from '../../parameters/fields';
import { hashText } from '../../runtime/canonical';
import type { Form } from './form';

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
	/** The body as it came, but for the token. undefined for a multipart form, of which n8n keeps no bytes. */
	bytes?: Buffer;
	/** The same as text, in base64 where the bytes are no text. */
	text: string;
	headers: IDataObject;
	query: IDataObject;
	/** The same for the same content. */
	key: string;
}

type Request = ReturnType<IWebhookFunctions['getRequestObject']>;

/** @param form the parts of the body, where it is a form */
export function readDelivery(
	{ rawBody, body: parsed, headers, query }: Request,
	form?: Form,
): Delivery {
	// A service may repeat the URL of the subscription, and whoever reads an execution must not be able to send events.
	const token = isTokenLike(query.token) ? query.token : '';
	const clean = <T>(value: T) => redact(value, token);
	const sent = Buffer.isBuffer(rawBody) ? rawBody.toString('latin1') : undefined;
	const bytes = sent === undefined ? undefined : Buffer.from(clean(sent), 'latin1');
	const text = readText(bytes);
	const content = form ? form.content : readStructure(parsed, text);
	const holdsToken = token !== '' && (sent?.includes(token) ?? true);
	const body = holdsToken ? clean(content) : content;
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
		key: hashText([...kinds, hashText(bytes ?? JSON.stringify(form ?? ''))].join()),
	};
}

function readText(bytes: Buffer | undefined): string {
	if (!bytes) return '';
	const text = bytes.toString();
	return Buffer.from(text).equals(bytes) ? text : bytes.toString('base64');
}

/** As n8n parsed it, else as JSON, which n8n parses only of exactly that type, else the text. */
function readStructure(parsed: unknown, text: string): unknown {
	if (isStructure(parsed)) return parsed;
	const own = parseJson(text);
	return isStructure(own) ? own : text;
}

function isStructure(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

/** Names that services use for the kind of an event. */
const names = ['event', 'eventType', 'event_type', 'type', 'kind', 'topic'];

/**
 * The kind of one event, where a header or one of these fields holds it, and nothing else. What they say must agree.
 * @param holders what may have the fields: the event, and of a form also its parts that are JSON
 */
function recognizeKind(holders: unknown[], told: EventKind[]): EventKind | null {
	const fields = holders.filter(isObject).flatMap((each) => names.map((name) => each[name]));
	const [kind = null, ...others] = new Set([...told, ...fields.filter(isKind)]);
	return others.length === 0 ? kind : null;
}

function isKind(value: unknown): value is EventKind {
	return eventKinds.some((kind) => kind.value === value);
}
