import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readPage } from '../../unit/docs/pages.mts';
import { setUpActionNode } from '../actionNodeSetup.mts';
import { onlyNewOrChanged, requestLimits } from '../../groups.mts';

/** The samples of the pages are what the node outputs: each has its name behind its three backticks. */
function readSample(page: string, name: string): IDataObject {
	const [, text] = readPage(page).split(`\`\`\`json ${name}\n`);
	return JSON.parse(text.split('```')[0]) as IDataObject;
}

const setup = setUpActionNode();

async function run(parameters: INodeParameters, items: IDataObject[]): Promise<IDataObject[]> {
	const { output, errors, error } = await setup.run(parameters, items, {
		onError: 'continueErrorOutput',
	});
	if (error) throw error;
	return [...output, ...errors].map(({ json }) => json);
}

const log = {
	...{ resource: 'personLog', operation: 'create', source: '={{ $json.source }}' },
	...{ type: 'contact-synced', person: { email: '={{ $json.email }}' }, payloadMode: 'fields' },
	options: onlyNewOrChanged('={{ $json.id }}'),
};
const contact = { id: 'crm-1', email: 'a@crm.example', source: 'hubspot' };

test('an item that failed is as on the page', async () => {
	const [{ pageId }] = setup.sandbox.store.pages.all();
	const [{ audienceId }] = setup.sandbox.store.audiences.of(pageId);
	const archive = {
		...{ resource: 'audience', operation: 'archive', pageId: 'page_1' },
		...{ audienceId: '={{ $json.id }}', options: requestLimits({ concurrency: 1 }) },
	};
	setup.sandbox.faults.add({ kind: 'answer', status: 200, body: { audienceId }, times: 1 });
	setup.sandbox.faults.add({ kind: 'answer', status: 404, body: {}, times: 1 });
	const [, { error, details }] = await run(archive, [{ id: audienceId }, { id: 'audience_123' }]);
	expect({ error, details }).toEqual(readSample('reference.md', 'failed'));
});

test('a report is as on the page', async () => {
	await run(log, [contact]);
	const [report] = await run({ ...log, options: { ...log.options, report: true } }, [
		contact,
		{ ...contact, id: 'crm-2', email: 'b@crm.example' },
		{ id: 'crm-1008', email: 'c@crm.example' },
	]);
	expect(report).toEqual(readSample('crm-sync.md', 'report'));
});

test('answers are as on the page', async () => {
	const interactions = [
		['What is your budget?', '10,000'],
		['Company', 'Northwind'],
		['Company', 'Northwind Ltd'],
	].map(([label, responseText]) => ({ label, responseText }));
	setup.sandbox.faults.add({ kind: 'answer', body: { found: true, interactions } });
	const read = { resource: 'audienceSession', operation: 'getInteractions' };
	const parameters = { ...read, audienceSessionId: 'a', options: { addAnswers: true } };
	const [{ answers }] = await run(parameters, [{}]);
	// In this order.
	expect(JSON.stringify({ answers })).toBe(JSON.stringify(readSample('forms.md', 'answers')));
});
