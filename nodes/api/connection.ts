import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	JsonObject,
} from 'n8n-workflow';
import { readReach } from './hostReach';
import { parseWebAddress } from './parseUrl';
import { redact } from './redact';
import {
	type ApiRequest,
	isObject,
	isSuccess,
	type LostConnection,
	type RequestOutcome,
	writeQuery,
} from './request';

export const credentialType = 'pageAudienceApi';

/** What of n8n's contexts speaks to the API: every kind of context has it. */
export type ApiContext = Pick<IExecuteFunctions, 'getCredentials'> & {
	helpers: Pick<IExecuteFunctions['helpers'], 'httpRequestWithAuthentication'>;
};

/** Where the API is. */
export interface Connection {
	/** Without `/v0` and without a slash at its end. */
	baseUrl: string;
	/** For messages, e.g. `https://api.example.com`. */
	origin: string;
	/** Without the port: with it n8n's allowedDomains would refuse every request. */
	hostname: string;
	/** For cutting it out of messages; the credential itself puts it into the header. */
	apiKey: string;
	/** As n8n yields it. */
	credential: ICredentialDataDecryptedObject;
}

/** @throws {RangeError} when the credential's Base URL cannot be used */
export async function readConnection(context: ApiContext): Promise<Connection> {
	const credential = await context.getCredentials(credentialType);
	const { baseUrl, apiKey } = credential;
	return { ...parseBaseUrl(baseUrl), apiKey: String(apiKey ?? '').trim(), credential };
}

/** A host without a scheme. Not every text without one: it may be the API key, pasted into the wrong field. */
export const bareHost = /^(localhost|(\d+\.){3}\d+|([a-z\d-]+\.)+[a-z]{2,})(:\d+)?(?=\/|$)/i;

/**
 * Tolerates a missing `https://`, a slash at the end and a `/v0` that was pasted along, as the credential's own test
 * does.
 * @throws {RangeError} when it is no http(s) URL, or more than an address
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
	const path = dropSlashes(dropSlashes(url.pathname).replace(/\/v0$/, ''));
	return { baseUrl: url.origin + path, origin: url.origin, hostname: url.hostname };
}

function dropSlashes(path: string): string {
	return path.replace(/(?<!\/)\/+$/, '');
}

/** An address at which others can read the API key on its way: no encryption, and outside of a private network. */
export function isExposed({ origin, hostname }: Pick<Connection, 'origin' | 'hostname'>): boolean {
	return origin.startsWith('http:') && readReach(hostname) === 'public';
}

/**
 * Sends one request, once. It returns what the service or the network does and never throws for it.
 * The options are built for every attempt, because n8n's helper changes them. What people may get to read is without
 * the API key from here on, before anything shortens it.
 * @param timeoutMs idle time after which the connection counts as lost
 */
export async function attempt(
	context: ApiContext,
	{ baseUrl, hostname, apiKey, credential }: Connection,
	request: ApiRequest,
	timeoutMs: number,
): Promise<RequestOutcome> {
	const options: IHttpRequestOptions = {
		method: request.method,
		url: `${baseUrl}/v0${request.path}${writeQuery(request.query)}`,
		headers: { accept: 'application/json' },
		timeout: timeoutMs,
		// With these two, n8n returns every status with its headers, and sends a 401 only once.
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the API key to whatever address it names.
		disableFollowRedirect: true,
		allowedDomains: hostname,
	};
	if (request.body !== undefined) {
		// As text, because the helper drops an empty object.
		options.body = JSON.stringify(request.body);
		options.headers = { ...options.headers, 'content-type': 'application/json' };
	}
	try {
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context as IAllExecuteFunctions,
			credentialType,
			options,
			// Without it n8n reads the credential from its database and decrypts it anew for every request.
			{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential } },
		);
		const { statusCode, headers, body } = response as IN8nHttpFullResponse;
		const outcome = {
			responded: true as const,
			status: statusCode,
			headers,
			body,
			request,
			apiKey,
		};
		if (isSuccess(outcome)) return outcome;
		return { ...outcome, headers: redact(headers, [apiKey]), body: redact(body, [apiKey]) };
	} catch (error) {
		const { reason, ...loss } = describeLoss(error);
		return { responded: false, ...loss, reason: redact(reason, [apiKey]) };
	}
}

/** The code and text of a lost connection, wherever n8n's wrapping put them: older versions lose what caused an error. */
function describeLoss(error: unknown): Omit<LostConnection, 'responded'> {
	const chain: JsonObject[] = [];
	for (let at = error; isObject(at) && chain.length < 5; at = at.cause) chain.push(at);
	const code = ['code', 'httpCode']
		.flatMap((name) => chain.map((link) => link[name]))
		.find((each): each is string => typeof each === 'string' && /^[A-Z][A-Z0-9_]+$/.test(each));
	const syscall = chain
		.map((link) => link.syscall)
		.find((each): each is string => typeof each === 'string');
	const root = chain.at(-1);
	const reason = typeof root?.message === 'string' ? root.message : String(error);
	return { code, syscall, reason };
}
