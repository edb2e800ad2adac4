import {
	type ICredentialDataDecryptedObject,
	type Icon,
	type ICredentialTestRequest,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';
import { bareHost } from '../nodes/api/connection';
import { publicHttpUrl } from '../nodes/api/hostReach';
import { type KeyTarget, readKeyTarget } from '../nodes/api/keyTarget';

const notTested = 'The API key was not tested.';
const redirected = `The address redirects to another one. Enter that one as the Base URL. ${notTested}`;
const elsewhere = `This does not look like the Page Audience API. Check the Base URL. ${notTested}`;
const failing = `The service failed or is unavailable. Test again later. ${notTested}`;

const rejectedAddress = (status: number) =>
	`The address rejected the request (${status}). ${elsewhere}`;

/** What Cloudflare answers in place of a service that it cannot reach. */
const cloudflare = [520, 521, 522, 523, 524, 525, 526, 530];

/** n8n tells a failed test by its status alone, as in "Not Found", where no rule says more. */
const failures = [
	...[301, 302, 303, 307, 308].map((status) => [status, redirected] as const),
	...[400, 405, 406, 422].map((status) => [status, rejectedAddress(status)] as const),
	[401, 'The API key was rejected (401). Check the API Key.'],
	[402, 'The service asks for a payment (402). Check your plan with the provider.'],
	[403, 'The API key has no access (403). Use another key, or ask the owner of the account.'],
	[404, `Nothing was found at this address (404). Check the Base URL. ${notTested}`],
	[407, `A proxy between n8n and the service asks for a login (407). ${notTested}`],
	[410, `Nothing is at this address any more (410). Check the Base URL. ${notTested}`],
	[429, 'Rate limit reached (429). Wait a minute and test again.'],
	...[408, 500, 502, 503, 504, ...cloudflare].map((status) => [status, failing] as const),
].map(([value, message]) => ({ type: 'responseCode', properties: { value, message } }));

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
				'URL of the API, without /v0 at the end. Without http:// or https://, https is used. Ask your provider for it.',
		},
		{
			displayName: 'Over http:// the API key is sent without encryption. Use https:// if you can.',
			name: 'exposedNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { baseUrl: [{ _cnd: { regex: publicHttpUrl } }] } },
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'API key of your account. n8n sends it only to the Base URL.',
		},
	];

	// A function, because n8n would evaluate an expression again for every request.
	async authenticate(
		{ apiKey, baseUrl }: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		// Any node may use the credential, such as HTTP Request, for a URL that somebody else chose.
		const { origin, hostname, stray } = readTarget(options, baseUrl);
		if (stray !== undefined) {
			throw new UserError(
				`The API key goes only to the Base URL, ${origin}, and this request goes to ${stray || 'no web address'}. Correct the URL, or use another credential.`,
			);
		}
		return {
			...options,
			headers: { ...options.headers, 'x-api-key': String(apiKey).trim() },
			// n8n repeats the key to wherever a redirect leads. Both of its helpers are told to follow none.
			allowedDomains: hostname,
			disableFollowRedirect: true,
			...{ followRedirect: false, followAllRedirects: false },
		};
	}

	test: ICredentialTestRequest = {
		request: {
			// Accepts the same forms as parseBaseUrl in nodes/api/connection.ts.
			baseURL: `={{ String($credentials.baseUrl).trim().replace(${String(bareHost)}, "https://$&").replace(/\\/+$/, "").replace(/\\/v0$/, "").replace(/\\/+$/, "") }}`,
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

function readTarget(options: IHttpRequestOptions, baseUrl: unknown): KeyTarget {
	try {
		return readKeyTarget(options, baseUrl);
	} catch {
		throw new UserError(
			'The Base URL is not a web address. Enter one such as https://api.example.com.',
		);
	}
}
