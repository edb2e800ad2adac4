import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { searchPages, searchSubscriptions } from '../lists/listSearch';
import { toHookError } from '../nodeErrors';
import { eventKinds } from '../parameters/fields';
import { receive } from './delivery/receive';
import { beginTest, endTest, publish, start, unpublish } from './lifecycle';
import { describeOutputs } from './outputs';
import { parameters } from './parameters';

/*
 * The trigger owns a webhook subscription while its workflow is published:
 *
 * - `decide.ts` is the table of what it does with it. `lifecycle.ts` looks, decides, and does that, through `subscription.ts`.
 * - `kept.ts` has what was there before: in the workflow's static data, which deliveries only read, and in this process.
 * - A delivery (`delivery/receive.ts`) goes one straight way: token, events, pages, duplicates, output.
 */
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
		subtitle: describeSubtitle(),
		description:
			'Starts the workflow when a form is submitted or enriched, or a page version is created, processed or published (webhook)',
		eventTriggerDescription: 'Waiting for an event: submit a form on your page, for example',
		activationMessage: 'Your webhook subscription now delivers its events to this workflow.',
		// While a person listens, the panel of n8n shows its own words.
		triggerPanel: {
			header: 'Listen for an event, then submit a form on your page',
			executionsHelp:
				'<b>While you build the workflow</b>, listen for a test event, then submit a form on your page. The event starts an execution that you see here.<br /><br /><b>When the workflow is ready</b>, publish it. Each event then starts an execution. These executions are in the <a data-key="executions">executions list</a>, not in the editor.',
		},
		defaults: { name: 'Page Audience Trigger' },
		builderHint: {
			searchHint:
				'Instant trigger: do not poll, and do not add a Webhook node or an operation that changes the subscription. It takes over an existing webhook subscription while the workflow is published, so ask the user which one to use. The fields of the delivered body are not documented: read them from a test run, or set options.outputFormat to details for a fixed set of fields around the body.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-page-audience.pageAudience',
					relationHint:
						'Writes a person log entry for a submitted form, or reads the page and its audiences',
				},
				{
					nodeType: 'n8n-nodes-page-audience.pageAudiencePollingTrigger',
					relationHint:
						'Asks for new form submissions at regular times, where the service cannot reach n8n or no webhook subscription is free',
				},
			],
		},
		// The output has no field of these. If one ever gets through, n8n hides it from people who view the execution.
		sensitiveOutputFields: ['headers.authorization', 'headers.cookie', 'query.token'],
		inputs: [],
		outputs: describeOutputs(),
		credentials: [{ name: 'pageAudienceApi', required: true }],
		webhooks: [
			{
				name: 'default',
				// The service's method is not documented. Nearly all services use POST, and n8n would call `create` again for a
				// second method.
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: 'onReceived',
				// Empty, so that the response is what `webhook` returns.
				responseData: '',
				// Nobody has to copy the URL, and without its token the trigger rejects deliveries.
				ndvHideUrl: true,
				ndvHideMethod: true,
			},
		],
		properties: parameters,
	};

	methods = { listSearch: { searchPages, searchSubscriptions } };

	webhookMethods = {
		default: {
			// The service may show an outdated subscription, so publishing is always necessary.
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await Promise.resolve(false);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				if (this.getMode() === 'manual') return await run(this, beginTest);
				const isStart = ['init', 'leadershipChange'].includes(this.getActivationMode());
				return await run(this, isStart ? start : publish);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				// n8n ends test runs and production in the same mode, but only a test run's workflow is never active.
				return await run(this, this.getWorkflow().active ? unpublish : endTest);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}

/** The events that the node waits for, as the canvas shows them, e.g. "Form Submitted". */
function describeSubtitle(): string {
	const names = Object.fromEntries(eventKinds.map(({ name, value }) => [value, name]));
	return `={{ [$parameter["events"]].flat().map((kind) => (${JSON.stringify(names)})[kind] ?? kind).join(", ") }}`;
}

async function run(context: IHookFunctions, hook: typeof publish): Promise<boolean> {
	await hook(context).catch(async (error: unknown) => {
		throw await toHookError(context, error);
	});
	return true;
}
