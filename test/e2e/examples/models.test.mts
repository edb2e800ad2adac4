import type { JsonObject } from '../../../tools/n8n/execution.mts';
import type { StoredWorkflow } from '../../../tools/n8n/workflow.mts';
import { openScriptedModel, type ScriptedModel } from '../../n8n/scriptedModel.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { waitFor } from '../../waitFor.mts';
import { changeNode, importExample } from './importing.mts';

// The starters for models: what an agent may write, and what other programs may read.

const setup = setUpN8n();
beforeEach(() => setup.sandbox.reset());

describe('agent', () => {
	let model: ScriptedModel;
	let workflow: StoredWorkflow;
	beforeAll(async () => {
		model = await openScriptedModel();
		const data = { apiKey: 'no-key', url: model.url };
		const openAiApi = await setup.client.createCredential('openAiApi', 'Scripted model', data);
		workflow = await importExample(setup, 'agent');
		// The scripted model knows only the older endpoint.
		await changeNode(setup, workflow, 'Chat model', ({ parameters }) => ({
			credentials: { openAiApi },
			parameters: { ...parameters, responsesApiEnabled: false },
		}));
	});
	afterAll(() => model?.close());

	const entry = { Type: 'call-planned', Payload_JSON: { day: 'Friday' }, Email: 'ada@a.example' };
	const sent = () => setup.sandbox.requests.map(({ operationId, body }) => [operationId, body]);
	const search = ['searchPersons', undefined];

	/** Asks in the chat, and answers the agent's question by the button of its message. */
	async function answer(approved: boolean): Promise<void> {
		const { client } = setup;
		model.setTurns(
			{ call: 'Search_people', with: { Query: 'lindqvist', Limit: 2 } },
			{ call: 'Add_log_entry', with: { toolParameters: entry, hitlParameters: {} } },
			{ say: 'Done.' },
		);
		const chatInput = { chatInput: 'Ada wants a call', sessionId: 's1', action: 'sendMessage' };
		const trigger = 'When you write in the chat';
		const id = await client.runWorkflow(workflow.id, trigger, [{ json: chatInput }]);
		await waitFor('the question', async () => (await client.getExecution(id)).status === 'waiting');
		expect(sent()).toEqual([search]);
		const path = `/rest/executions/${id}`;
		const { data } = await client.session.request<{ data: string }>('GET', path);
		const button = new RegExp(`"(http[^"]*/webhook-waiting/[^"]*approved=${approved}&[^"]*)"`);
		const [, link = ''] = button.exec(data) ?? [];
		// n8n takes other agents for bots that look at a link.
		await fetch(link, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/145.0' } });
		const reply = async () => (await client.getExecution(id)).nodes.Reply !== undefined;
		await waitFor('the reply', reply);
	}

	test('what a person approves is written', async () => {
		await answer(true);
		const body = { source: 'chat', type: 'call-planned', payload: { day: 'Friday' } };
		const logged = expect.objectContaining({ ...body, email: entry.Email }) as object;
		expect(sent()).toEqual([search, ['createPersonLog', logged]]);
	});

	test('what a person declines is not written, and the model stops', async () => {
		await answer(false);
		expect(sent()).toEqual([search]);
		expect(model.observations().at(-1)).toMatch(/rejected the tool call/);
	});
});

describe('mcp', () => {
	let token = '';
	/** Asks the server as a program does, over Streamable HTTP. */
	async function ask(method: string, params: JsonObject = {}, session?: string) {
		const response = await fetch(`${setup.client.session.url}/mcp/page-audience`, {
			method: 'POST',
			headers: {
				accept: 'application/json, text/event-stream',
				authorization: `Bearer ${token}`,
				'content-type': 'application/json',
				...(session && { 'mcp-session-id': session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
		});
		const [, event = '{}'] = /^data: (.*)$/m.exec(await response.text()) ?? [];
		const { result } = JSON.parse(event) as { result?: JsonObject };
		return { status: response.status, headers: response.headers, result };
	}

	test('a program with the token reads through six tools, and one without it nothing', async () => {
		const { client, sandbox } = setup;
		const workflow = await importExample(setup, 'mcp');
		const data = { token: 'a-long-random-token' };
		const httpBearerAuth = await client.createCredential('httpBearerAuth', 'MCP', data);
		const credentials = { httpBearerAuth };
		await changeNode(setup, workflow, 'MCP server', () => ({ credentials }));
		await client.publish(workflow.id);
		const clientInfo = { name: 'test', version: '1' };
		const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
		expect((await ask('initialize', hello)).status).toBe(403);

		({ token } = data);
		const { headers } = await ask('initialize', hello);
		const session = headers.get('mcp-session-id') ?? '';
		const { result } = await ask('tools/list', {}, session);
		expect((result?.tools as JsonObject[]).map(({ name }) => name).sort()).toEqual([
			...['Get_account_activity', 'Get_page_analytics', 'Get_sessions_of_a_page'],
			...['Search_accounts', 'Search_pages', 'Search_people'],
		]);
		const [person] = sandbox.store.persons.all();
		const call = { name: 'Search_people', arguments: { Query: person.slug, Limit: 2 } };
		const found = await ask('tools/call', call, session);
		expect(found.result).toEqual({ content: [{ type: 'text', text: JSON.stringify([person]) }] });
		expect(sandbox.requests.map(({ operationId }) => operationId)).toEqual(['searchPersons']);
		await client.unpublish(workflow.id);
	});
});
