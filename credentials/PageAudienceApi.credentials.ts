import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

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
			description: 'URL of the API, without /v0 at the end. Ask your provider for it.',
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
				'={{ String($credentials.baseUrl).trim().replace(/\\/+$/, "").replace(/\\/v0$/, "").replace(/\\/+$/, "") }}',
			url: '/v0/persons',
			qs: { limit: 1 },
			headers: { accept: 'application/json' },
			// A redirect would send the key to another address.
			disableFollowRedirect: true,
		},
		rules: [
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'items',
					value: undefined,
					message:
						'The response contains no list of people, so this is not the Page Audience API. Check the Base URL. The API key was not tested.',
				},
			},
		],
	};
}
