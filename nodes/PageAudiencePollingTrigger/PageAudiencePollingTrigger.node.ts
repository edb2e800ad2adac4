import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { searchAccounts, searchPages } from '../lists/listSearch';
import { parameters } from './parameters';
import { poll } from './poll';

export class PageAudiencePollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Page Audience Polling Trigger',
		name: 'pageAudiencePollingTrigger',
		icon: {
			light: 'file:../../icons/pageAudience.svg',
			dark: 'file:../../icons/pageAudience.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: describeSubtitle(),
		description:
			'Starts the workflow for new form submissions, sessions, people or account activity. Checks at regular times and needs no webhook.',
		defaults: { name: 'Page Audience Polling Trigger' },
		polling: true,
		builderHint: {
			searchHint:
				'Asks the API at regular times, so it needs neither a public address nor a webhook subscription. Outputs one item per new record, with the documented fields of the API. Misses sessions that the API lists more than options.lookBackHours (48) after their start. For enrichment and page version events use the Page Audience Trigger node.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-page-audience.pageAudienceTrigger',
					relationHint:
						'Starts the workflow at once, where n8n can be reached from the internet and a webhook subscription is free',
				},
				{
					nodeType: 'n8n-nodes-page-audience.pageAudience',
					relationHint: 'Reads and writes the records that started the workflow',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'pageAudienceApi', required: true }],
		properties: parameters,
	};

	methods = { listSearch: { searchAccounts, searchPages } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}

/** The name of the event, which the canvas shows below the node. */
function describeSubtitle(): string {
	const [{ options }] = parameters;
	const names = Object.fromEntries(options.map(({ name, value }) => [value, name]));
	return `={{ (${JSON.stringify(names)})[$parameter["event"]] }}`;
}
