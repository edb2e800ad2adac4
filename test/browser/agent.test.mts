import { randomUUID } from 'node:crypto';
import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { Agent, agent, describeTool, fromModel, tool } from '../n8n/agent.mts';
import { startNode } from '../n8n/n8nSetup.mts';
import { openEditor } from './editor.mts';

/** The agent's trigger and text, as the editor creates them for a chat. */
const askInChat = (node: WorkflowNode): WorkflowNode =>
	({
		[startNode]: {
			...node,
			type: '@n8n/n8n-nodes-langchain.chatTrigger',
			typeVersion: 1.1,
			webhookId: randomUUID(),
		},
		[agent]: { ...node, parameters: {} },
	})[node.name] ?? node;

const editor = openEditor();
let ai: Agent;
beforeAll(async () => {
	ai = await Agent.open(editor.setup);
});
afterAll(() => ai?.close());

test('an agent answers a question in the chat', async () => {
	const { client, page, sandbox, url } = editor;
	const { model } = ai;
	const query = fromModel('Query');
	const search = { resource: 'page', operation: 'search', limit: 5, query };
	const id = await ai.createWorkflow(describeTool(editor, search));
	const { nodes } = await client.getWorkflow(id);
	await client.updateWorkflow(id, { nodes: nodes.map(askInChat), pinData: {} });
	const answer = `${search.limit} pages are for logistics teams.`;
	model.setTurns({ call: tool, with: { Query: 'logistics' } }, { say: answer });

	await page.setViewportSize({ width: 1120, height: 960 });
	await page.goto(`${url}/workflow/${id}`);
	await page.getByTestId('workflow-chat-button').click();
	const chat = page.getByTestId('canvas-chat');
	const question = 'Which pages are for logistics?';
	await chat.getByTestId('chat-input').fill(question);
	await page.keyboard.press('Enter');
	await chat.getByText(answer).waitFor();
	await page.getByTestId('canvas-node-status-success').nth(3).waitFor();
	await page.getByTestId('zoom-to-fit').click();
	await chat.getByText(question).evaluate((each) => each.scrollIntoView({ block: 'center' }));
	await editor.photograph('agent', page.locator('body'));
	expect(sandbox.requests.at(-1)).toMatchObject({
		path: '/v0/pages/search',
		query: { query: 'logistics' },
		status: 200,
	});
});
