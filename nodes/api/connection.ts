import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { hashContent } from '../runtime/canonical';
import { parseUrl, parseWebAddress } from '../runtime/url';

export const credentialType = 'pageAudienceApi';

/** The part of n8n's contexts that sends requests to the API. Every kind of context has it. */
export type ApiContext = Pick<IExecuteFunctions, 'getCredentials'> & {
	helpers: Pick<IExecuteFunctions['helpers'], 'httpRequestWithAuthentication'>;
};

export interface Connection {
	/** Without `/v0` and without a slash at its end. */
	baseUrl: string;
	/** A hash of the Base URL and the API key, which reveals neither. */
	identity: string;
	/** For messages, e.g. `https://api.example.com`. */
	origin: string;
	/** Without the port: with it n8n's allowedDomains would refuse every request. */
	hostname: string;
	/** For cutting it out of messages; the credential itself puts it into the header. */
	apiKey: string;
	credential: ICredentialDataDecryptedObject;
}

/**
 * @param item an expression in the credential may depend on it
 * @throws {RangeError} when the credential's Base URL cannot be used, or its API Key is empty
 */
export async function readConnection(context: ApiContext, item?: number): Promise<Connection> {
	const credential = await context.getCredentials(credentialType, item);
	const apiKey = String(credential.apiKey ?? '').trim();
	const address = parseBaseUrl(credential.baseUrl);
	// A transfer may leave secrets out, and an expression may yield nothing.
	if (apiKey === '') throw new RangeError('The API Key in the credential is empty');
	return { ...address, identity: hashContent([address.baseUrl, apiKey]), apiKey, credential };
}

/** For texts in which the API key must not stand, even where there is no credential or its Base URL is invalid. */
export async function readApiKey(context: Pick<ApiContext, 'getCredentials'>): Promise<string> {
	return await context.getCredentials(credentialType).then(
		({ apiKey }) => String(apiKey ?? '').trim(),
		() => '',
	);
}

/** A host without a scheme. Not every text without one: it may be the API key, pasted into the wrong field. */
export const bareHost = /^(localhost|(\d+\.){3}\d+|([a-z\d-]+\.)+[a-z]{2,})(:\d+)?(?=\/|$)/i;

/** What a Base URL ends with at most: slashes, and the path of a request that was pasted along, from `/v0` on. */
export const pastedEnd = /(?<![/:])\/*(?:\/v0(?:[/?#].*)?|[?#].*)?$/s;

/**
 * Tolerates a missing `https://`, slashes at the end and the path of a request that was pasted along, as the credential's
 * own test does.
 * @throws {RangeError} when it is not an http(s) URL, or has more than an address
 */
export function parseBaseUrl(given: unknown): Pick<Connection, 'baseUrl' | 'origin' | 'hostname'> {
	const text = String(given).trim().replace(bareHost, 'https://$&');
	const url = parseWebAddress(text);
	if (!url) {
		// Without the text: it may be the API key, pasted into the wrong field.
		throw new RangeError('The Base URL in the credential is not a web address');
	}
	// n8n's test of the credential would send them, and the nodes would not.
	if (url.username || url.password) {
		throw new RangeError(
			'The Base URL in the credential contains a user name or password. Remove them, because the nodes send only the API key',
		);
	}
	const path = url.pathname.replace(pastedEnd, '');
	return { baseUrl: url.origin + path, origin: url.origin, hostname: url.hostname };
}

/** Where n8n sends a request. The HTTP Request node calls the address `uri`. */
type Addressed = Pick<IHttpRequestOptions, 'baseURL'> & { url?: unknown; uri?: unknown };

/**
 * Whether a request goes to the Base URL's host, and nowhere else.
 * @returns `stray`: the origin of an address to which it would carry the key by mistake, or "" if that has no origin
 * @throws {RangeError} when the Base URL cannot be used
 */
export function readKeyTarget(options: Addressed, baseUrl: unknown) {
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
