import type { IHttpRequestOptions } from 'n8n-workflow';
import { parseBaseUrl } from './connection';
import { parseUrl } from './parseUrl';

/** Where n8n sends a request. The HTTP Request node says it as `uri`. */
type Addressed = Pick<IHttpRequestOptions, 'baseURL'> & { url?: unknown; uri?: unknown };

export interface KeyTarget {
	/** Of the Base URL, e.g. `https://api.example.com`. */
	origin: string;
	/** Of the Base URL, without the port. */
	hostname: string;
	/** The origin of a request that would carry the key elsewhere, "" if it has none; undefined where there is none. */
	stray?: string;
}

/**
 * Whether a request goes to the Base URL's host, and nowhere else.
 * @throws {RangeError} when the Base URL cannot be used
 */
export function readKeyTarget(options: Addressed, baseUrl: unknown): KeyTarget {
	const { origin, hostname } = parseBaseUrl(baseUrl);
	const stray = listTargets(options)
		.map((url) => (url?.host ? url.origin : ''))
		.find((each) => each !== origin);
	return { origin, hostname, stray };
}

/** n8n resolves `url` against `baseURL` as a browser does, and its HTTP client puts it behind `baseURL` and a slash. */
function listTargets({ url, uri, baseURL }: Addressed): Array<URL | undefined> {
	const target = String(url ?? uri ?? '');
	if (!baseURL) return [parseUrl(target)];
	return [parseUrl(target, baseURL), parseUrl(`${baseURL}/`)];
}
