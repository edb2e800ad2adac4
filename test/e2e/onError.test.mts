import { itemsOf, type Item } from '../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { findFreePort } from '../../tools/ports.mts';
import { credentialType, describeWorkflow, setUpN8n, startNode, tested } from '../n8n/n8nSetup.mts';
import { requestLimits } from '../groups.mts';

const setup = setUpN8n();
beforeEach(() => setup.sandbox.reset());

const createPerson = {
	...{ resource: 'person', operation: 'create', name: '={{ $json.name }}' },
	additionalFields: { email: '={{ $json.email }}' },
	options: requestLimits({ concurrency: 1, maxRetries: 0 }),
};
const people = ['Ada', 'Ben', '', 'Dora'].map((name, index) => ({
	name,
	email: `person.${index}@onerror.example`,
}));
const [ada, ben, nameless, dora] = people;

const emails = (items: Item[]): unknown[] => items.map(({ json }) => json.email);
const sent = (): unknown[] =>
	setup.sandbox.requests.map(({ body }) => (body as { email: string }).email);

/* What n8n itself does with items that failed. What the node does is in test/engine/onError.test.mts and writesOnce.test.mts. */

test('both outputs lead back to fields of earlier nodes', async () => {
	const set = (name: string, field: string, value: string): WorkflowNode => {
		const assignments = [{ id: field, name: field, value, type: 'string' }];
		const type = { type: 'n8n-nodes-base.set', typeVersion: 3.4 };
		return { ...type, name, position: [0, 0], parameters: { assignments: { assignments } } };
	};
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	const earlier = `={{ $('${startNode}').item.json.email }}`;
	const parameters = { ...createPerson, additionalFields: { email: earlier } };
	const settings = { onError: 'continueErrorOutput' };
	const workflow = describeWorkflow(parameters, setup.credential, settings);
	const names = set('Names', 'name', '={{ $json.name }}');
	const ends = ['Written', 'Failed'].map((name) => set(name, 'email', earlier));
	const id = await setup.createWorkflow({
		...workflow,
		nodes: [...workflow.nodes, names, ...ends],
		connections: {
			[startNode]: { main: [to('Names')] },
			Names: { main: [to(tested)] },
			[tested]: { main: [to('Written'), to('Failed')] },
		},
	});
	setup.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 403, skip: 1 });
	const execution = await setup.finish(id, people);
	expect(emails(itemsOf(execution, 'Written'))).toEqual([ada.email, dora.email]);
	expect(emails(itemsOf(execution, 'Failed'))).toEqual([ben.email, nameless.email]);
});

test.each([
	['as it was', ''],
	['that was corrected', ' Corrected'],
])('Retry with the workflow %s sends the rest, and returns every item', async (_, correction) => {
	const { client, credential, sandbox } = setup;
	const valid = [ada, ben, dora];
	sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422, skip: 1 });
	const id = await setup.create(createPerson);
	const first = await setup.finish(id, valid);
	expect(first.error?.message).toContain('1 of 3 items were written');
	const corrected = { ...createPerson, name: `${createPerson.name}${correction}` };
	await client.updateWorkflow(id, describeWorkflow(corrected, credential));
	const retried = await setup.retry(id, first.id, { withSaved: correction !== '' });
	const second = await client.waitForExecution(retried);
	expect(second.status).toBe('success');
	expect(itemsOf(second, tested).map(({ json }) => json.name)).toEqual(
		valid.map(({ name }, index) => (index < 1 ? name : name + correction)),
	);
	expect(sent().sort()).toEqual([ada.email, ben.email, ben.email, dora.email]);
});

// Each release of n8n hands over a lost connection in its own way.
test('a refused connection sent nothing, and one lost after the request may have', async () => {
	const data = { baseUrl: `http://127.0.0.1:${await findFreePort()}`, apiKey: 'any' };
	const nowhere = await setup.client.createCredential(credentialType, 'Nowhere', data);
	setup.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter', times: 2 });
	for (const [credential, code, maybeDone] of [
		[nowhere, 'ECONNREFUSED', false],
		[setup.credential, 'ECONNRESET', true],
	] as const) {
		const credentials = { [credentialType]: credential };
		const settings = { onError: 'continueRegularOutput', credentials };
		const execution = await setup.run(createPerson, [ada, ben], settings);
		expect(itemsOf(execution, tested).map(({ json }) => json.details)).toMatchObject(
			[0, 1].map((itemIndex) => ({ code, maybeDone, itemIndex })),
		);
	}
	expect(sent()).toEqual([ada.email, ben.email]);
});
