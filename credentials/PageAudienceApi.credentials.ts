import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

const redirected =
	'The address redirects to another one. Enter that one as the Base URL. The API key was not tested.';
const failing =
	'The service failed or is unavailable. Test again later. The API key was not tested.';

/** n8n tells a failed test by its status alone, as in "Not Found", where no rule says more. */
const failures = Object.entries({
	301: redirected,
	302: redirected,
	307: redirected,
	308: redirected,
	401: 'The API key was rejected (401). Check the API Key.',
	403: 'The API key has no access (403). Use another key, or ask the owner of the account.',
	404: 'Nothing was found at this address (404). Check the Base URL. The API key was not tested.',
	429: 'Rate limit reached (429). Wait a minute and test again.',
	500: failing,
	502: failing,
	503: failing,
	504: failing,
}).map(([status, message]) => ({
	type: 'responseCode',
	properties: { value: Number(status), message },
}));

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
		{ apiKey }: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return { ...options, headers: { ...options.headers, 'x-api-key': String(apiKey).trim() } };
	}

	test: ICredentialTestRequest = {
		request: {
			// Accepts the same forms as parseBaseUrl in nodes/api/connection.ts.
			baseURL:
				'={{ String($credentials.baseUrl).trim().replace(/^(localhost|(\\d+\\.){3}\\d+|([a-z\\d-]+\\.)+[a-z]{2,})(:\\d+)?(?=\\/|$)/i, "https://$&").replace(/\\/+$/, "").replace(/\\/v0$/, "").replace(/\\/+$/, "") }}',
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
					message:
						'The response contains no list of people, so this is not the Page Audience API. Check the Base URL. The API key was not tested.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
