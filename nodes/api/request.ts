import { isObject } from '../runtime/unknown';

declare const apiPath: unique symbol;

/** A path below `/v0` in which every value is exactly one encoded segment. Only the `path` tag makes one. */
export type ApiPath = string & { readonly [apiPath]: true };

/**
 * Builds a path: path`/pages/${pageId}/audiences`.
 * Nobody encodes path values on the way to the service, and `..` is resolved before sending,
 * so an unencoded value could reach another endpoint.
 */
export function path(fixed: TemplateStringsArray, ...values: string[]): ApiPath {
	const segments = values.map(encodeSegment);
	return fixed.reduce((built, text, i) => built + text + (segments[i] ?? ''), '') as ApiPath;
}

/** IDs were checked before, with the parameter's label. */
function encodeSegment(value: string): string {
	if (['', '.', '..'].includes(value))
		throw new Error(`cannot be used as an ID, because it is "${value}"`);
	return encodeURIComponent(value);
}

export type QueryValue = string | number | undefined;

/** One request to the API, as an operation describes it: nothing of n8n, nothing of the transport. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	path: ApiPath;
	/** An undefined value is not sent. */
	query?: Record<string, QueryValue>;
	/** An undefined member is not sent; `{}` is sent as an empty object. */
	body?: object;
	/**
	 * Whether sending it twice leaves the service as sending it once does.
	 * Default: true for GET, PATCH and DELETE, false for POST.
	 */
	repeatable?: boolean;
}

export function isRepeatable({ method, repeatable }: ApiRequest): boolean {
	return repeatable ?? method !== 'POST';
}

export interface ApiResponse {
	responded: true;
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** What was asked for, so that messages can name it. */
	request: ApiRequest;
	/** For hiding it in messages about the body. Records are as the service sent them. */
	apiKey: string;
}

/** `?a=1&b=x%20y`, or nothing. Written here because n8n's helper sends a null as `b=` and a list as `b[0]=`. */
export function writeQuery(query: Record<string, QueryValue> = {}): string {
	const pairs = Object.entries(query).flatMap(([name, value]) =>
		value === undefined
			? []
			: // encodeURIComponent throws for half of a surrogate pair.
				[`${encodeURIComponent(name)}=${encodeURIComponent(String(value).toWellFormed())}`],
	);
	return pairs.length ? `?${pairs.join('&')}` : '';
}

/** The key by which the service can recognize a request that was sent before. */
export function readKey({ body }: ApiRequest): string | undefined {
	return isObject(body) && typeof body.idempotencyKey === 'string'
		? body.idempotencyKey
		: undefined;
}
