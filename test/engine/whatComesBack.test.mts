import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkedTo, type Run } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';

/* Lists have tests of their own. */

const setup = setUpActionNode();
const run = async (parameters: INodeParameters, items: IDataObject[], more: Partial<Run> = {}) => {
	setup.sandbox.requests.length = 0;
	const result = await setup.run(parameters, items, more);
	const of = (item: number) => linkedTo(result.output, item).map(({ json }) => json);
	return { ...result, of };
};

const usual = /^audienceId pageId effectiveName .* archivedAt$/;
const chosen = { output: 'selectedFields', outputFields: 'status' };
test.each<[what: string, parameters: INodeParameters, asTool: boolean, fields: RegExp]>([
	['the most useful fields by default', {}, false, usual],
	['all fields where a tool asks for them', { output: 'raw' }, true, /tenantId .*latestVersion/],
	['its ID and the fields that a tool selects', chosen, true, /^audienceId status$/],
])('a record has %s', async (_, parameters, asTool, fields) => {
	const pages = setup.sandbox.store.pages.all();
	const items = [pages[0], pages[4]].map(({ pageId }) => ({ pageId }));
	const list = {
		resource: 'audience',
		operation: 'getAll',
		pageId: '={{ $json.pageId }}',
		limit: 1,
	};
	const { of } = await run({ ...list, ...parameters }, items, { asTool });
	for (const item of [0, 1]) expect(Object.keys(of(item)[0]).join(' ')).toMatch(fields);
});

test('interactions of a session that was not found are told, and keep what the service sent', async () => {
	const own = setup.sandbox.store.sessions.all().slice(0, 2);
	const [first, other] = own.map(({ audienceSessionId: session }) => ({ session }));
	const body = { found: false, interactions: [{ label: 'a', audienceSessionId: 'its own' }] };
	setup.sandbox.faults.add({ kind: 'answer', body, path: new RegExp(other.session) });
	const read = { resource: 'audienceSession', operation: 'getInteractions' };
	const parameters = { ...read, audienceSessionId: '={{ $json.session }}' };
	const { of, hints } = await run(parameters, [first, other]);
	expect(of(1)).toEqual([{ label: 'a', audienceSessionId: 'its own' }]);
	expect(hints).toEqual([
		`The service did not find session ${other.session}. The output contains the interactions in its response, if any [item 1, counted from 0].`,
	]);
});

test('an entry that names no person is told', async () => {
	const log = { resource: 'personLog', operation: 'create', source: 'form', person: {} };
	const { hints } = await run(log, [{}, {}]);
	expect(hints).toEqual([
		"The entry isn't linked to anyone, because nothing is added under Person.",
	]);
});

test('an AI tool sends a JSON payload, never the agent’s item, and a new key with every call', async () => {
	const log = {
		...{ resource: 'personLog', operation: 'create', source: 'agent' },
		...{ person: {}, payload: '{"a":1}' },
	};
	const keys = new Set<unknown>();
	for (let call = 0; call < 2; call++) {
		await run(log, [{ secret: 1 }, { secret: 1 }], { asTool: true });
		const bodies = setup.sandbox.requests.map(({ body }) => body as IDataObject);
		expect(bodies.map(({ payload }) => payload)).toEqual([{ a: 1 }, { a: 1 }]);
		for (const { idempotencyKey } of bodies) keys.add(idempotencyKey);
	}
	expect(keys.size).toBe(4);
	const { error } = await run({ ...log, payloadMode: 'inputItem' }, [{}, {}], { asTool: true });
	expect(error?.message).toContain('Payload must be one of json');
	expect(setup.received).toEqual([]);
});
