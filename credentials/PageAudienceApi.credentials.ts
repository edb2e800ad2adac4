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
import { bareHost, type KeyTarget, pastedEnd, readKeyTarget } from '../nodes/api/connection';
import { readReach } from '../nodes/runtime/url';

const notTested = 'The API key was not tested.';
const redirected = `The address redirects. Open it in a browser to see where it leads: Enter a new address of the API as the Base URL, often with https://, or let n8n through without a login. ${notTested}`;
const elsewhere = `This does not look like the Page Audience API: a login or maintenance page may have responded. Check the Base URL, or test again later. ${notTested}`;
const failing = `The service failed or is unavailable. Test again later. ${notTested}`;
const proxied = `The service or a proxy failed or is unavailable. Test again later. If n8n has an outbound proxy, let it pass this host, or add the host to NO_PROXY. ${notTested}`;

const rejectedAddress = (status: number) =>
	`The address rejected the request (${status}). ${elsewhere}`;

/** What Cloudflare answers in place of a service that it cannot reach. */
const cloudflare = [520, 521, 522, 523, 524, 525, 526, 530];

/** n8n tells a failed test by its status alone, as in "Not Found", where no rule says more. */
const failures = [
	...[301, 302, 303, 307, 308].map((status) => [status, redirected] as const),
	...[400, 405, 406, 411, 415, 421, 422, 426, 451, 501].map(
		(status) => [status, rejectedAddress(status)] as const,
	),
	[401, 'The API key was rejected (401). Check the API Key and the Base URL.'],
	[402, 'Payment required (402). Check your plan in the service.'],
	[
		403,
		"Access was refused (403). Use a key that has access, or ask the service to let n8n's IP address through. If n8n has an outbound proxy, it may have refused: let it pass this host, or add the host to NO_PROXY.",
	],
	[404, `Nothing was found at this address (404). Check the Base URL. ${notTested}`],
	[
		407,
		`The outbound proxy of n8n asks for a login (407). Put it into HTTPS_PROXY (for http://, into HTTP_PROXY), or add this host to NO_PROXY. ${notTested}`,
	],
	[410, `Nothing exists at this address any more (410). Check the Base URL. ${notTested}`],
	[429, 'Rate limit reached (429). Wait a minute and test again.'],
	...[502, 503, 504].map((status) => [status, proxied] as const),
	...[408, 500, 529, ...cloudflare].map((status) => [status, failing] as const),
].map(([value, message]) => ({ type: 'responseCode', properties: { value, message } }));

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
		const { origin, hostname, stray } = readTarget(options, baseUrl);
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
			...failures,
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'items',
					value: undefined,
					message: `The response contains no list of people. ${elsewhere}`,
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

function readTarget(options: IHttpRequestOptions, baseUrl: unknown): KeyTarget {
	try {
		return readKeyTarget(options, baseUrl);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		throw new UserError(`${error.message}. Enter one such as https://api.example.com.`);
	}
}
