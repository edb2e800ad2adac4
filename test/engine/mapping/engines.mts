import 'reflect-metadata';
import { createRequire } from 'node:module';
import { ExecuteContext } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	Expression,
	type IDataObject,
	type INodeParameters,
	type INodeType,
	Workflow,
} from 'n8n-workflow';
import { makeAdditionalData } from '../additionalData.mts';

/** What n8n makes of a parameter. */
export interface Evaluator {
	/** @throws as n8n does */
	evaluate: (saved: unknown, json: IDataObject, path?: string) => unknown;
	close: () => Promise<void>;
}

const nodeType: INodeType = {
	description: {
		displayName: 'Node',
		name: 'node',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
};

/** The engine of n8n's releases before 2, and of n8n's own tests. */
export async function openLegacyEngine(): Promise<Evaluator> {
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

/** The engine of a regular n8n: an isolate that reads the item step by step. */
export async function openIsolatedEngine(): Promise<Evaluator> {
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

function makeWorkflow(): Workflow {
	return new Workflow({
		id: 'workflow-1',
		name: 'Test',
		active: false,
		settings: { timezone: 'UTC' },
		nodeTypes: {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		},
		nodes: [
			{ id: '1', name: 'Node', type: 'node', typeVersion: 1, position: [0, 0], parameters: {} },
		],
		connections: {},
	});
}

function openContext(workflow: Workflow): Evaluator['evaluate'] {
	const node = workflow.getNode('Node');
	if (!node) throw new Error('The workflow has no node');
	const additionalData = makeAdditionalData(workflow, { baseUrl: '', apiKey: '' });
	return (saved, json, path = 'value') => {
		const items = [{ json }];
		node.parameters = { value: saved } as INodeParameters;
		const context = new ExecuteContext(
			workflow,
			node,
			additionalData,
			'manual',
			createEmptyRunExecutionData(),
			0,
			items,
			{ main: [items] },
			{ data: { main: [items] }, node, source: null },
			[],
		);
		return context.getNodeParameter(path, 0, null, { skipValidation: true });
	};
}
