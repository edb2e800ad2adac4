import {
	type IHookFunctions,
	type INode,
	type INodeProperties,
	type INodeType,
	NodeHelpers,
} from 'n8n-workflow';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { PageAudiencePollingTrigger } from '../../../nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';

/* What n8n reads of a node beside its parameters. */

/** The names of the searches that lists in the panel call. */
function listSearches(properties: INodeProperties[]): string[] {
	const texts = JSON.stringify(properties).matchAll(/"searchListMethod":"(\w+)"/g);
	return [...new Set([...texts].map(([, name]) => name))].sort();
}

describe.each<[title: string, name: string, group: string, Node: new () => INodeType]>([
	['Page Audience', 'pageAudience', 'transform', PageAudience],
	['Page Audience Trigger', 'pageAudienceTrigger', 'trigger', PageAudienceTrigger],
	[
		'Page Audience Polling Trigger',
		'pageAudiencePollingTrigger',
		'trigger',
		PageAudiencePollingTrigger,
	],
])('%s', (title, name, group, Node) => {
	test('has its name in the panel, on the canvas and in workflows', () => {
		const { description } = new Node();
		const { displayName, defaults } = description;
		expect([displayName, defaults.name, description.name]).toEqual([title, title, name]);
	});

	test('is where people look for it, and says in a sentence what it does', () => {
		const { description } = new Node();
		expect(description.group).toEqual([group]);
		expect(description.description).toMatch(/^[A-Z]\w+(?: [\w,-]+){5,}$/);
	});

	test('needs the credential', () => {
		const { credentials } = new Node().description;
		expect(credentials).toEqual([{ name: new PageAudienceApi().name, required: true }]);
	});

	test('has the searches that its lists call', () => {
		const { description, methods } = new Node();
		const called = listSearches(description.properties);
		expect(called.length).toBeGreaterThan(1);
		expect(Object.keys(methods?.listSearch ?? {})).toEqual(expect.arrayContaining(called));
	});
});

describe('the trigger', () => {
	const makeNode = (): INode => ({
		id: 'id',
		name: 'Trigger',
		type: 'n8n-nodes-page-audience.pageAudienceTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		webhookId: 'abc',
	});

	test('has one address, for POST, which nobody has to copy', () => {
		const { webhooks = [] } = new PageAudienceTrigger().description;
		expect(
			webhooks.map(({ name, httpMethod, path }) => [
				name,
				httpMethod,
				NodeHelpers.getNodeWebhookPath('workflow', makeNode(), String(path)),
			]),
		).toEqual([['default', 'POST', 'abc/webhook']]);
		expect(webhooks).toMatchObject([{ ndvHideUrl: true, ndvHideMethod: true }]);
	});

	test('responds at once, with what it says itself', () => {
		const { webhooks } = new PageAudienceTrigger().description;
		expect(webhooks).toMatchObject([{ responseMode: 'onReceived', responseData: '' }]);
	});

	test('never takes publishing for done', async () => {
		const { checkExists } = new PageAudienceTrigger().webhookMethods.default;
		expect(await checkExists.call({} as IHookFunctions)).toBe(false);
	});

	test('tells a person what it waits for, and what publishing has done', () => {
		const { description } = new PageAudienceTrigger();
		const { eventTriggerDescription, activationMessage, triggerPanel } = description;
		const { header, executionsHelp } = triggerPanel as Record<string, unknown>;
		expect([eventTriggerDescription, header]).toEqual([
			expect.stringMatching(/^Waiting for an event: .*form/),
			expect.stringMatching(/^Listen for an event, .*form/),
		]);
		expect(activationMessage).toMatch(/^Your webhook subscription .*\.$/);
		// The same link as in the panels of n8n's own triggers.
		expect(executionsHelp).toContain('<a data-key="executions">executions list</a>');
	});
});

describe('the polling trigger', () => {
	test('has one output', () => {
		expect(new PageAudiencePollingTrigger().description.outputs).toEqual(['main']);
	});

	test.each([
		['formSubmission', 'Form Submission'],
		['changedPerson', 'New or Changed Person'],
	])('has a label on the canvas for %s', (event, label) => {
		const { subtitle = '' } = new PageAudiencePollingTrigger().description;
		const expression = /^=\{\{ (.*) \}\}$/.exec(subtitle)?.[1];
		const evaluate = new Function('$parameter', `return ${expression}`) as (of: object) => unknown;
		expect(evaluate({ event })).toBe(label);
	});
});
