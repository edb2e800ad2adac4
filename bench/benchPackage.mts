import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const packageName = 'n8n-nodes-bench-minimal';
const file = 'dist/nodes/MinimalTrigger/MinimalTrigger.node.js';

export const minimalTriggerType = `${packageName}.minimalTrigger`;

// The least an app trigger can be: it registers nothing, checks nothing and outputs the body unchanged.
const code = `
class MinimalTrigger {
	constructor() {
		this.description = {
			displayName: 'Minimal Trigger',
			name: 'minimalTrigger',
			group: ['trigger'],
			version: 1,
			description: 'Starts the workflow with whatever is posted',
			defaults: { name: 'Minimal Trigger' },
			inputs: [],
			outputs: ['main'],
			webhooks: [
				{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
			],
			properties: [],
		};
		this.webhookMethods = {
			default: {
				checkExists: async () => true,
				create: async () => true,
				delete: async () => true,
			},
		};
	}

	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
}
exports.MinimalTrigger = MinimalTrigger;
`;

/** Installs a community package with only the minimal trigger into n8n's user folder. */
export function installMinimalTrigger(userFolder: string): void {
	const folder = join(userFolder, '.n8n/nodes/node_modules', packageName);
	const description = {
		name: packageName,
		version: '1.0.0',
		keywords: ['n8n-community-node-package'],
		n8n: { n8nNodesApiVersion: 1, nodes: [file] },
	};
	mkdirSync(join(folder, file, '..'), { recursive: true });
	writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
	writeFileSync(join(folder, file), code);
}
