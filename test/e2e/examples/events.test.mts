import { makeExampleData } from '../../../sandbox/index.mts';
import type { JsonObject } from '../../../tools/n8n/execution.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { importExample, outputOf, run } from './importing.mts';

// The starters with the trigger, and the one that checks a trigger.

const setup = setUpN8n();
beforeEach(() => setup.sandbox.reset());

test('form: a submitted form becomes one log entry and one message', async () => {
	const { client, sandbox } = setup;
	const workflow = await importExample(setup, 'form');
	await client.publish(workflow.id);
	const visitor = {
		name: 'Nora Lindgren',
		email: 'nora.lindgren@fjordfreight.example',
		company: 'Fjord Freight',
		message: 'Can we see it with our own data?',
	};
	const [{ pageId }] = sandbox.store.pages.all();
	const [execution, ...others] = await client.collectExecutions(workflow.id, async () => {
		const response = await fetch(`${sandbox.url}/sandbox/form`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ pageId, ...visitor }),
		});
		expect(response.status).toBe(200);
	});
	expect([execution.status, others]).toEqual(['success', []]);
	const { name, email, company, message } = visitor;
	const logs = sandbox.requests.filter(({ operationId }) => operationId === 'createPersonLog');
	const payload = { company, message, delivery: { event: 'form.submitted' } };
	expect(logs).toMatchObject([{ status: 201, body: { name, email, payload } }]);
	expect(outputOf(execution, 'Readable message')).toMatchObject([
		{
			message:
				'New form submission from Nora Lindgren, nora.lindgren@fjordfreight.example, Fjord Freight on ' +
				'"Product demo for logistics teams | Northwind": Can we see it with our own data?',
		},
	]);

	// A form without an email address is for a person to look at.
	const [unlogged] = await client.collectExecutions(
		workflow.id,
		async () =>
			await sandbox.emit('form.submitted', { form: { name: 'Nora Lindgren', message: 'Call me' } }),
	);
	expect(outputOf(unlogged, 'Readable message')).toMatchObject([
		{
			message: expect.stringMatching(
				/^⚠️ Not logged: .*email.*\nNew form submission from Nora Lindgren: Call me$/is,
			) as string,
			newPerson: false,
		},
	]);
	await client.unpublish(workflow.id);
});

test('alert: a failed enrichment becomes a message that says who, where and why', async () => {
	const { client, sandbox } = setup;
	const workflow = await importExample(setup, 'alert');
	await client.publish(workflow.id);
	const alertOf = async (data: JsonObject) => {
		const [execution, ...others] = await client.collectExecutions(
			workflow.id,
			async () => await sandbox.emit('form.enrichment_failed', data),
		);
		expect([execution.status, others]).toEqual(['success', []]);
		return String(outputOf(execution, 'Alert')[0].text);
	};
	const known = makeExampleData(sandbox.store, 'form.enrichment_failed');
	expect(await alertOf(known)).toMatch(
		/^⚠️ Form enrichment failed: Nora Lindgren, nora\.lindgren@\S+ on "Product demo" \(no company found\)\nReceived \d+ \w{3} \d{4}, \d\d:\d\d\. Received data: \{/,
	);
	const unknown = await alertOf({ something: { quite: 'different' } });
	expect(unknown).toContain('failed: no name or email\n');
	expect(unknown).toContain('{"something":{"quite":"different"}}');
	await client.unpublish(workflow.id);
});

test('deaf: the check is silent while the workflow of the trigger is published, and alerts otherwise', async () => {
	const { client } = setup;
	const listening = await importExample(setup, 'alert');
	const check = await importExample(setup, 'deaf');
	const alerts = async () =>
		outputOf(await run(setup, check), 'Alert').map(({ text }) => String(text));
	const alert = expect.stringMatching(/misses events:\n•[^]*: subscription_5wrgdoug8m/) as string;
	expect(await alerts()).toEqual([alert]);
	await client.publish(listening.id);
	expect(await alerts()).toEqual([]);
	await client.unpublish(listening.id);
	expect(await alerts()).toEqual([alert]);
});
