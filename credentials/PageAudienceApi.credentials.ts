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
			description:
				'Where the API is, without /v0 at its end. The provider of your account names it.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key of your account. It is sent to the base URL only.',
		},
	];

	// A function, because n8n would evaluate an expression anew for every single request.
	async authenticate(
		{ apiKey }: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return { ...options, headers: { ...options.headers, 'x-api-key': String(apiKey).trim() } };
	}

	test: ICredentialTestRequest = {
		request: {
			// The same tolerance as parseBaseUrl in nodes/api/connection.ts.
			baseURL:
				'={{ String($credentials.baseUrl).trim().replace(/\\/+$/, "").replace(/\\/v0$/, "").replace(/\\/+$/, "") }}',
			url: '/v0/persons',
			qs: { limit: 1 },
			headers: { accept: 'application/json' },
			// A redirect would carry the key to whatever address it names.
			disableFollowRedirect: true,
		},
		rules: [
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'items',
					value: undefined,
					message:
						"What answers at the base URL is not the Page Audience API (no list of persons came back). Check 'Base URL'; the key was not judged.",
				},
			},
		],
	};
}
