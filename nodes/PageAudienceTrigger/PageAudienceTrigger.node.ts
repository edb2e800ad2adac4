import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { searchSubscriptions } from '../parameters/listSearch';
import { receive } from './delivery/receive';
import { parameters } from './parameters';
import { checkExists, create, remove } from './registration/hooks';

export class PageAudienceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Page Audience Trigger',
		name: 'pageAudienceTrigger',
		icon: {
			light: 'file:../../icons/pageAudience.svg',
			dark: 'file:../../icons/pageAudience.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ [$parameter["events"]].flat().join(", ") }}',
		description:
			'Starts the workflow when a form is submitted or enriched, or a page version is created, processed or published',
		eventTriggerDescription: 'Waiting for an event from your webhook subscription',
		defaults: { name: 'Page Audience Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'pageAudienceApi', required: true }],
		webhooks: [
			{
				name: 'default',
				// How the service delivers is not documented. Nearly all services use POST, and a second method would be a
				// second registration of the same subscription.
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: 'onReceived',
				// As an expression, because n8n needs a number here.
				responseCode: '={{200}}',
				// Empty, so that the response is what `webhook` returns.
				responseData: '',
				// Nobody has to copy the URL, and it is of no use without its token.
				ndvHideUrl: true,
				ndvHideMethod: true,
			},
		],
		properties: parameters,
	};

	methods = { listSearch: { searchSubscriptions } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await checkExists(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await create(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await remove(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
