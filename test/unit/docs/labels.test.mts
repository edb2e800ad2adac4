import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';
import { parameters as ofPollingTrigger } from '../../../nodes/PageAudiencePollingTrigger/parameters.ts';
import { parameters as ofTrigger } from '../../../nodes/PageAudienceTrigger/parameters.ts';
import { readLine } from './pages.mts';

/** Labels and choices of n8n itself. Check them against n8n when you update it. */
const ofN8n = [
	'Continue',
	'Data table',
	'Execute Sub-workflow',
	'Expression',
	'Fetch Test Event',
	'Fallback Output',
	'Input data mode: Accept all data',
	'Listen for test event',
	'Loop Over Items',
	'On Error: Continue (using error output)',
	'On Error: Stop Workflow',
	'Operation: Append or Update Row',
	'Operation: Upsert',
	'Options > Wait For Sub-Workflow Completion',
	'Poll Times',
	'Schedule Trigger',
	'Settings',
	'Switch',
	'Trigger Interval',
	'When Executed by Another Workflow',
];
/** The nodes, and bold text that is no label. */
const others = [
	'Page Audience',
	'Page Audience Polling Trigger',
	'Page Audience Trigger',
	'bold',
	'Persons, accounts and pages',
];
const stressed = [
	'After a crash in a test that borrowed',
	'After a new API key',
	'A poll that fails',
	'Changes',
	'Deliveries',
	'People and activities',
	'Person logs',
	'Publishing a changed trigger.',
	'Sessions',
	'The end of a test that borrowed.',
	'What n8n itself refuses',
	'When you publish',
	'When you unpublish',
	'While n8n is down',
	'With each poll',
];

/** The labels in the panels: `Options`, `Options > Timeout`, `Idempotency Key: None`, and each choice alone. */
const labels = new Set([...ofN8n, ...others, ...stressed, ...resources.flatMap(listNames)]);
for (const property of [...ofTrigger, ...ofPollingTrigger] as readonly INodeProperties[])
	addLabels(property, '');
for (const { operations } of resources)
	for (const { properties } of operations) for (const each of properties) addLabels(each, '');

function listNames({ option, operations }: (typeof resources)[number]): string[] {
	const names = operations.map((operation) => operation.option.name);
	return [`Resource: ${option.name}`, ...names, ...names.map((name) => `Operation: ${name}`)];
}

function addLabels({ displayName, options = [], modes = [] }: INodeProperties, into: string): void {
	for (const label of [displayName, into + displayName]) {
		labels.add(label);
		for (const option of options) {
			if ('value' in option) labels.add(`${label}: ${option.name}`).add(option.name);
		}
	}
	for (const mode of modes) labels.add(mode.displayName);
	for (const option of options) {
		const members = 'values' in option ? (option as INodePropertyCollection).values : [option];
		for (const member of members) if ('type' in member) addLabels(member, `${displayName} > `);
	}
}

test('finds the labels of the nodes', () => {
	expect(labels).toContain('Options > Requests per Second');
	expect(labels).toContain('Idempotency Key: From Content');
	expect(labels).toContain('Update Fields > Header Action ID');
	expect(labels).toContain('Options > Duplicates: Drop');
	expect(labels.size).toBeGreaterThan(150);
});

test.each(['recipes.md', 'trigger.md', 'polling-trigger.md', 'not-documented.md'])(
	'%s uses only labels that exist',
	(name) => {
		const used = [...readLine(name).matchAll(/\*\*(.+?)\*\*/g)].map(([, label]) => label);
		expect(used.length).toBeGreaterThan(2);
		expect(used.filter((label) => !labels.has(label))).toEqual([]);
	},
);
