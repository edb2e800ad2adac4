import {
	type DisplayCondition,
	type ICredentialDataDecryptedObject,
	type Icon,
	type ICredentialTestRequest,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';
import { causes, findCause } from '../nodes/api/causes';
import { bareHost, pastedEnd, readKeyTarget } from '../nodes/api/connection';
import { at, GET } from '../nodes/api/request';
import { readReach } from '../nodes/runtime/url';

const notTested = 'The API key was not tested.';

/** What services respond with, and what stands in front of them. n8n tells any other status by its name alone, as in "Not Found". */
const toldStatuses = [
	301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 410, 411, 415, 421, 422,
	426, 429, 451, 500, 501, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 529, 530,
];

function describeStatus(status: number): string {
	const request = GET(at.person`/persons`);
	const response = { responded: true, headers: {}, body: {}, apiKey: '', status, request } as const;
	const { message, advice, passes } = causes[findCause(response) ?? 'unexpected'];
	const isTested = [401, 402, 403, 429].includes(status);
	const sentences = [passes && 'Test again later.', advice, !isTested && notTested];
	return [`${message} (${status}).`, ...sentences].filter(Boolean).join(' ');
}

/**
 * Conditions without a pattern: n8n checks them whenever a node reads the credential, and gives up on a pattern after
 * 250 ms, which may pass on a busy machine.
 */
const localUrls: DisplayCondition[] = [
	{ _cnd: { startsWith: 'http://' } },
	...['localhost', '127.', '10.', '192.168.', 'host.docker.internal'].map((host) => ({
		_cnd: { startsWith: `https://${host}` },
	})),
];

export class PageAudienceApi implements ICredentialType {
	name = 'pageAudienceApi';

	displayName = 'Page Audience API';

	icon: Icon = {
		light: 'file:../icons/pageAudience.svg',
		dark: 'file:../icons/pageAudience.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-page-audience/n8n-nodes-page-audience#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'URL of the API, without /v0 at the end. Ask your service for it. Begin with https://, or with http:// if the service has no HTTPS. If the test shows ENOTFOUND, check the spelling: n8n finds no such host. With a code such as SELF_SIGNED_CERT_IN_CHAIN, the person who runs n8n sets NODE_EXTRA_CA_CERTS. If the request was blocked, they allow the host in N8N_SSRF_ALLOWED_HOSTNAMES.',
		},
		{
			displayName:
				'Over http:// the API key is sent without encryption. Use it only within your own network.',
			name: 'exposedNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { baseUrl: [{ _cnd: { startsWith: 'http://' } }] } },
		},
		{
			displayName:
				'If the test shows only a code: with EPROTO, the service has no HTTPS, so enter http://. With ECONNREFUSED, nothing listens at this address and port. In Docker, localhost is the container of n8n: enter host.docker.internal or the name of the other container.',
			name: 'localNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { baseUrl: localUrls } },
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Your API key from the service. n8n sends it only to the Base URL.',
		},
	];

	// A function, because n8n would evaluate an expression again for every request.
	async authenticate(
		{ apiKey, baseUrl }: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		// Only n8n's test of the credential has a base URL of its own. It tells a failed connection by its code alone.
		if (options.baseURL && lacksScheme(baseUrl)) throw new UserError(needsScheme);
		// Any node may use the credential, such as HTTP Request, for a URL from outside.
		const { origin, hostname, stray } = findTarget(options, baseUrl);
		if (stray !== undefined) {
			throw new UserError(
				`The API key goes only to the Base URL, ${origin}, and this request goes to ${stray || 'no web address'}. Correct the URL, or use another credential.`,
			);
		}
		const key = String(apiKey ?? '').trim();
		if (key === '') throw new UserError('The API Key is empty. Enter the key from your service.');
		return {
			...options,
			headers: { ...options.headers, 'x-api-key': key },
			// n8n repeats the key to wherever a redirect leads. Both of its helpers are told to follow none.
			allowedDomains: hostname,
			disableFollowRedirect: true,
			...{ followRedirect: false, followAllRedirects: false },
		};
	}

	test: ICredentialTestRequest = {
		request: {
			// Accepts the same forms as parseBaseUrl in nodes/api/connection.ts.
			baseURL: `={{ String($credentials.baseUrl).trim().replace(${String(bareHost)}, "https://$&").replace(${String(pastedEnd)}, "") }}`,
			url: '/v0/persons',
			qs: { limit: 1 },
			headers: { accept: 'application/json' },
			// A redirect would send the key to another address.
			disableFollowRedirect: true,
		},
		rules: [
			...toldStatuses.map((value) => ({
				type: 'responseCode',
				properties: { value, message: describeStatus(value) },
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'items',
					value: undefined,
					message: `${causes.unexpected.message.replace('{missing}', 'a list of people')}. ${causes.unexpected.advice} ${notTested}`,
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}

const needsScheme = `Enter the Base URL with http:// or https:// in front. A service on your own machine or network often has no HTTPS: enter http://. ${notTested}`;

/** Whether https:// is only a guess for an address without a scheme: a port, or a host that is not on the internet. */
function lacksScheme(baseUrl: unknown): boolean {
	const [host, ...port] = (bareHost.exec(String(baseUrl).trim())?.[0] ?? '').split(':');
	return port.length > 0 || (host !== '' && readReach(host ?? '') !== 'public');
}

function findTarget(options: IHttpRequestOptions, baseUrl: unknown) {
	try {
		return readKeyTarget(options, baseUrl);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		throw new UserError(`${error.message}. Enter one such as https://api.example.com.`);
	}
}
