import type { IDataObject } from 'n8n-workflow';
import { linkedTo } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';

/* Lists have tests of their own. */

const setup = setUpActionNode();

test('interactions of a session that was not found are told, and keep what the service sent', async () => {
	const own = setup.sandbox.store.sessions.all().slice(0, 2);
	const [first, other] = own.map(({ audienceSessionId: session }) => ({ session }));
	const body = { found: false, interactions: [{ label: 'a', audienceSessionId: 'its own' }] };
	setup.sandbox.faults.add({ kind: 'answer', body, path: new RegExp(other.session) });
	const read = { resource: 'audienceSession', operation: 'getInteractions' };
	const parameters = { ...read, audienceSessionId: '={{ $json.session }}' };
	const { output, hints } = await setup.run(parameters, [first, other]);
	const records = linkedTo(output, 1).map(({ json }) => json);
	expect(records).toEqual([{ label: 'a', audienceSessionId: 'its own' }]);
	expect(hints).toEqual([
		`The service did not find session ${other.session}. The output contains the interactions in its response, if any [item 1, counted from 0].`,
	]);
});

test('an entry that names no person is told', async () => {
	const log = { resource: 'personLog', operation: 'create', source: 'form', person: {} };
	const { hints } = await setup.run(log, [{}, {}]);
	expect(hints).toEqual([
		"The entry isn't linked to anyone, because nothing is added under Person.",
	]);
});

test('an AI tool sends a JSON payload, never the agent’s item, and a new key with every call', async () => {
	const log = {
		...{ resource: 'personLog', operation: 'create', source: 'agent' },
		...{ person: {}, payload: '{"a":1}' },
	};
	for (let call = 0; call < 2; call++)
		await setup.run(log, [{ secret: 1 }, { secret: 1 }], { asTool: true });
	const bodies = setup.sandbox.requests.map(({ body }) => body as IDataObject);
	expect(bodies.map(({ payload }) => payload)).toEqual(Array(4).fill({ a: 1 }));
	expect(new Set(bodies.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
	const fromItem = { ...log, payloadMode: 'inputItem' };
	const { error } = await setup.run(fromItem, [{}, {}], { asTool: true });
	expect(error?.message).toContain('Payload must be one of json');
	expect(setup.received).toHaveLength(4);
});
