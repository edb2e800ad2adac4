import { type ApiRequest, isRepeatable } from './request';
import { shorten } from './shorten';

/** What messages call the records of each collection in a path. */
const recordNames: Record<string, string> = {
	accounts: 'account',
	audience_sessions: 'audience session',
	audiences: 'audience',
	page_links: 'page link',
	pages: 'page',
	person_logs: 'person log entry',
	persons: 'person',
	webhook_subscriptions: 'webhook subscription',
};

/** Longer IDs are cut in messages. */
const longestId = 60;

/** The request as messages name it, e.g. `GET /v0/persons`. */
export function describeEndpoint({ method, path }: Pick<ApiRequest, 'method' | 'path'>): string {
	return `${method} /v0${path}`;
}

/** The record that a path names, e.g. `Audience "aud_1" of page "page_1"`; undefined when it names none. */
export function describeRecord({ path }: Pick<ApiRequest, 'path'>): string | undefined {
	const segments = path.split('/').slice(1);
	const names = segments.flatMap((collection, i) => {
		const id = segments[i + 1];
		const name = recordNames[collection];
		return i % 2 === 0 && name && id !== undefined && id !== 'search'
			? `${name} "${shorten(decodeURIComponent(id), longestId)}"`
			: [];
	});
	const text = names.reverse().join(' of ');
	return text === '' ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Tells the reader of a message what a request without a clear response may have done, and what to do about it. */
export function describeDoubt(request: ApiRequest): string {
	return isRepeatable(request)
		? `${describePossibleWork(request)}. You can safely retry.`
		: `${describePossibleWork(request)}. Check in the service before you retry.`;
}

function describePossibleWork({ method, path }: ApiRequest): string {
	const segments = path.split('/').slice(1);
	const isAction = segments.at(-1) === 'restore';
	const collection = isAction
		? segments.at(-3)
		: segments.length % 2
			? segments.at(-1)
			: segments.at(-2);
	const record = recordNames[collection ?? ''] ?? 'record';
	const done = isAction
		? 'restored'
		: { GET: 'read', POST: 'created', PATCH: 'updated', DELETE: 'archived' }[method];
	return `The ${record} may have been ${done}`;
}
