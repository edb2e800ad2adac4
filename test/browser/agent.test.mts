import { createAgent, createModelCredential } from '../e2e/agent/agentStage.mts';
import { openScriptedModel, type ScriptedModel } from '../e2e/agent/scriptedModel.mts';
import { tool, ToolNode } from '../e2e/agent/toolNode.mts';
import { waitFor } from '../waitFor.mts';
import { openEditor } from './editor.mts';

describe('an agent', () => {
	const editor = openEditor();
	let model: ScriptedModel;
	beforeAll(async () => {
		model = await openScriptedModel();
	});
	afterAll(() => model?.close());

	test('uses the node as its tool, whose panel asks for what a model can fill in', async () => {
		const { client, credential, page, sandbox, url } = editor;
		const toolNode = await ToolNode.read(client, credential);
		const described = toolNode.describe({ resource: 'audience', operation: 'getAll' }, ['pageId']);
		const openAiApi = await createModelCredential(client, model);
		const { id } = await createAgent(client, openAiApi, { ...described, id: 'tool' });
		const [{ pageId }] = [...sandbox.store.pages].filter(
			(each) => sandbox.store.audiences.of(each.pageId).length > 0,
		);

		await page.goto(`${url}/workflow/${id}/tool`);
		const panel = page.getByTestId('ndv');
		for (const label of ['Page ID', 'Return All', 'Output', 'Defined automatically by the model'])
			await panel.getByText(label).locator('visible=true').first().waitFor();
		for (const label of ['Simplify', 'From list'])
			expect(await panel.getByText(label, { exact: true }).locator('visible=true').count()).toBe(0);
		await editor.photograph('agent-tool');
		await page.getByTestId('ndv-close-button').click();

		model.play({ call: tool, with: { Page_ID: pageId } }, { say: 'Done.' });
		await page.getByTestId('execute-workflow-button').first().click();
		await waitFor('the response of the agent', () => model.observations().length > 0);
		await page.getByTestId('canvas-node-status-success').nth(2).waitFor();
		await editor.photograph('agent-executed');
		expect(sandbox.requests.at(-1)).toMatchObject({
			path: `/v0/pages/${pageId}/audiences`,
			status: 200,
		});
		const [audience] = sandbox.store.audiences.of(pageId);
		expect(model.observations()[0]).toContain(audience.audienceId);
		expect(model.observations()[0]).not.toContain('tenantId');
	});
});
