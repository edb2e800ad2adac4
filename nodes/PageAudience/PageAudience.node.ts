import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import * as listSearch from '../lists/listSearch';
import { describeResources } from './operation/describe';
import { resources } from './resources/index';
import { runOperation } from './run/run';

export class PageAudience implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Page Audience',
		name: 'pageAudience',
		icon: {
			light: 'file:../../icons/pageAudience.svg',
			dark: 'file:../../icons/pageAudience.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Manage landing pages, audiences, people, accounts and analytics',
		defaults: { name: 'Page Audience' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Processes all input items by itself, with retries, rate limits and paging. Do not add loop, batch or wait nodes around it. Failed items go to the error output when onError is continueErrorOutput.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-page-audience.pageAudienceTrigger',
					relationHint:
						'Starts a workflow when a form is submitted or enriched, or a page version is published',
				},
				{
					nodeType: 'n8n-nodes-page-audience.pageAudiencePollingTrigger',
					relationHint:
						'Starts a workflow for new form submissions, sessions, people and account activity, where the service cannot reach n8n',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'pageAudienceApi', required: true }],
		properties: describeResources(resources),
	};

	methods = { listSearch };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		// What On Error says of an item that fails: it leaves the others alone, or stops the run.
		return await runOperation(this, resources, this.continueOnFail());
	}
}
