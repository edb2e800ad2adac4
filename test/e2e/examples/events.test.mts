import { makeExampleData } from '../../../sandbox/index.mts';
import type { Execution, JsonObject } from '../../../tools/n8n/execution.mts';
import type { Example } from '../../../tools/start/starter.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { importExample, outputOf, run } from './importing.mts';

// The starters with the trigger, and the one that checks a trigger.

const setup = setUpN8n();
beforeEach(() => setup.sandbox.reset());

/** Publishes a starter. What its trigger starts must be one execution, which succeeds. */
async function publish(example: Example) {
	const { client } = setup;
	const { id } = await importExample(setup, example);
	await client.publish(id);
	const start = async (cause: () => Promise<unknown>): Promise<Execution> => {
		const [execution, ...others] = await client.collectExecutions(id, cause);
		expect([execution.status, others]).toEqual(['success', []]);
		return execution;
	};
	return { start, unpublish: async () => await client.unpublish(id) };
}

test('form: a submitted form becomes one log entry and one message', async () => {
	const { sandbox } = setup;
	const { start, unpublish } = await publish('form');
	const visitor = {
		name: 'Nora Lindgren',
		email: 'nora.lindgren@fjordfreight.example',
		company: 'Fjord Freight',
		message: 'Can we see it with our own data?',
	};
	const [{ pageId }] = sandbox.store.pages.all();
	const headers = { 'content-type': 'application/json' };
	const body = JSON.stringify({ pageId, ...visitor });
	const execution = await start(async () => {
		const response = await fetch(`${sandbox.url}/sandbox/form`, { method: 'POST', headers, body });
		expect(response.status).toBe(200);
	});
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
	const form = { name: 'Nora Lindgren', message: 'Call me' };
	const unlogged = await start(async () => await sandbox.emit('form.submitted', { form }));
	expect(outputOf(unlogged, 'Readable message')).toMatchObject([
		{
			message: expect.stringMatching(
				/^⚠️ Not logged: .*email.*\nNew form submission from Nora Lindgren: Call me$/is,
			) as string,
			newPerson: false,
		},
	]);
	await unpublish();
});

test('alert: a failed enrichment becomes a message that says who, where and why', async () => {
	const { sandbox } = setup;
	const { start, unpublish } = await publish('alert');
	const alertOf = async (data: JsonObject) => {
		const execution = await start(async () => await sandbox.emit('form.enrichment_failed', data));
		return String(outputOf(execution, 'Alert')[0].text);
	};
	const known = makeExampleData(sandbox.store, 'form.enrichment_failed');
	expect(await alertOf(known)).toMatch(
		/^⚠️ Form enrichment failed: Nora Lindgren, nora\.lindgren@\S+ on "Product demo" \(no company found\)\nReceived \d+ \w{3} \d{4}, \d\d:\d\d\. Received data: \{/,
	);
	const unknown = await alertOf({ something: { quite: 'different' } });
	expect(unknown).toContain('failed: no name or email\n');
	expect(unknown).toContain('{"something":{"quite":"different"}}');
	await unpublish();
});

test('deaf: the check is silent while the workflow of the trigger is published, and alerts otherwise', async () => {
	const { client } = setup;
	const listening = await importExample(setup, 'alert');
	const check = await importExample(setup, 'deaf');
	const alerts = async () => outputOf(await run(setup, check), 'Alert').map(({ text }) => text);
	const alert = expect.stringMatching(/misses events:\n•[^]*: subscription_5wrgdoug8m/) as string;
	expect(await alerts()).toEqual([alert]);
	await client.publish(listening.id);
	expect(await alerts()).toEqual([]);
	await client.unpublish(listening.id);
	expect(await alerts()).toEqual([alert]);
});
