import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowNode } from '../tools/n8n/workflow.mts';

const packageName = 'n8n-nodes-soak';
const file = 'dist/nodes/Recorder/Recorder.node.js';
const recordsOf = (userFolder: string): string => join(userFolder, 'received.jsonl');

/** What arrived behind a trigger: the number that the delivery carried. */
export type Arrival = { n: number; mode: string };

// A line per item, written before the execution goes on. A node of n8n's own would need a stored execution for each.
const recorder = `
const { appendFileSync } = require('node:fs');
const path = process.env.N8N_USER_FOLDER + '/received.jsonl';

class Recorder {
	constructor() {
		this.description = {
			displayName: 'Recorder',
			name: 'recorder',
			group: ['output'],
			version: 1,
			description: 'Writes down which deliveries arrived',
			defaults: { name: 'Recorder' },
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
		};
	}

	async execute() {
		const items = this.getInputData();
		const mode = this.getMode();
		appendFileSync(path, items.map(({ json }) => JSON.stringify({ n: json.n, mode }) + '\\n').join(''));
		return [items];
	}
}
exports.Recorder = Recorder;
`;

/** Installs the recorder into n8n's user folder. */
export function installRecorder(userFolder: string): void {
	const folder = join(userFolder, '.n8n/nodes/node_modules', packageName);
	const description = {
		name: packageName,
		version: '1.0.0',
		keywords: ['n8n-community-node-package'],
		n8n: { n8nNodesApiVersion: 1, nodes: [file] },
	};
	mkdirSync(join(folder, file, '..'), { recursive: true });
	writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
	writeFileSync(join(folder, file), recorder);
}

export const recorderNode: WorkflowNode = {
	name: 'Recorder',
	type: `${packageName}.recorder`,
	typeVersion: 1,
	position: [220, 0],
	parameters: {},
};

export function readArrivals(userFolder: string): Arrival[] {
	const path = recordsOf(userFolder);
	if (!existsSync(path)) return [];
	const lines = readFileSync(path, 'utf8').split('\n');
	return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Arrival);
}
