import { createRequire } from 'node:module';
import { ExecuteContext } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	Expression,
	type IDataObject,
	type INode,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { PageAudience } from '../../../../nodes/PageAudience/PageAudience.node.ts';

/** n8n's evaluation of expressions. */
export interface EvaluatingN8n {
	/**
	 * What n8n makes of a parameter that is saved as `value`.
	 * @throws as n8n does
	 */
	evaluate: (saved: unknown, json: IDataObject, path?: string) => unknown;
	close: () => Promise<void>;
}

/** With the engine of n8n's releases before 2, and of n8n's own tests. */
export async function openLegacyEngine(): Promise<EvaluatingN8n> {
	return await Promise.resolve({ evaluate: openContext(makeWorkflow()), close: async () => {} });
}

/** The parts of n8n that start its isolated engine, which n8n imports in a way that jest does not know. */
interface ExpressionRuntime {
	IsolatedVmBridge: new (settings: object) => object;
	ExpressionEvaluator: new (settings: object) => {
		initialize: () => Promise<void>;
		dispose: () => Promise<void>;
	};
}

/** With the engine of a regular n8n: an isolate that reads the item step by step. */
export async function openIsolatedEngine(): Promise<EvaluatingN8n> {
	const load = createRequire(require.resolve('n8n-workflow'));
	const runtime = load('@n8n/expression-runtime') as ExpressionRuntime;
	const sandboxing = load('./expression-sandboxing.js') as { expressionSandboxHooks: object };
	const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
	const evaluator = new runtime.ExpressionEvaluator({
		createBridge: () => new runtime.IsolatedVmBridge({ timeout: 5_000, memoryLimit: 128, logger }),
		maxCodeCacheSize: 1_000,
		poolSize: 1,
		hooks: sandboxing.expressionSandboxHooks,
		logger,
	});
	await evaluator.initialize();
	Object.assign(Expression, { vmEvaluator: evaluator });
	Expression.setExpressionEngine('vm');
	const workflow = makeWorkflow();
	await workflow.expression.acquireIsolate();
	return {
		evaluate: openContext(workflow),
		close: async () => {
			await workflow.expression.releaseIsolate();
			await evaluator.dispose();
			Object.assign(Expression, { vmEvaluator: undefined });
			Expression.setExpressionEngine('legacy');
		},
	};
}

const node: INode = {
	id: '1',
	name: 'Node',
	type: 'node',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

function makeWorkflow(): Workflow {
	const type = new PageAudience();
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	return new Workflow({ id: '1', active: false, nodeTypes, nodes: [node], connections: {} });
}

function openContext(workflow: Workflow): EvaluatingN8n['evaluate'] {
	const additionalData = { variables: {} } as IWorkflowExecuteAdditionalData;
	return (saved, json, path = 'value') => {
		const items = [{ json }];
		const own = { ...node, parameters: { value: saved } as INodeParameters };
		workflow.nodes.Node = own;
		const context = new ExecuteContext(
			workflow,
			own,
			additionalData,
			'manual',
			createEmptyRunExecutionData(),
			0,
			items,
			{ main: [items] },
			{ data: { main: [items] }, node: own, source: null },
			[],
		);
		return context.getNodeParameter(path, 0, null, { skipValidation: true });
	};
}
