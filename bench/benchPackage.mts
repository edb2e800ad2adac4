import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const packageName = 'n8n-nodes-bench';
const fileOf = (name: string): string => `dist/nodes/${name}/${name}.node.js`;

export const minimalTriggerType = `${packageName}.minimalTrigger`;
export const contactsType = `${packageName}.contacts`;
export const bareSenderType = `${packageName}.bareSender`;

// The least an app trigger can be: it registers nothing, checks nothing and outputs the body unchanged.
const minimalTrigger = `
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

// More contacts than a webhook accepts in one body.
const contacts = `
const { makeContacts } = require(${JSON.stringify(join(import.meta.dirname, 'contacts.mts'))});

class Contacts {
	constructor() {
		this.description = {
			displayName: 'Contacts',
			name: 'contacts',
			group: ['input'],
			version: 1,
			description: 'Outputs as many contacts as the webhook was asked for',
			defaults: { name: 'Contacts' },
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
		};
	}

	async execute() {
		const [{ json }] = this.getInputData();
		const { count, people, night = 0, changeEvery = 1 } = json.body;
		const contacts = makeContacts(count, people).map((contact, index) => ({
			...contact,
			modified: index % changeEvery === 0 ? night : 0,
		}));
		return [contacts.map((contact) => ({ json: contact, pairedItem: 0 }))];
	}
}
exports.Contacts = Contacts;
`;

// The least that a node can do to send person logs: nothing but n8n's helper, with the same settings as the package.
const bareSender = `
const { toPersonLog } = require(${JSON.stringify(join(import.meta.dirname, 'contacts.mts'))});

class BareSender {
	constructor() {
		this.description = {
			displayName: 'Bare Sender',
			name: 'bareSender',
			group: ['output'],
			version: 1,
			description: 'Sends each contact as a person log',
			defaults: { name: 'Bare Sender' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'pageAudienceApi', required: true }],
			properties: [{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 10 }],
		};
	}

	async execute() {
		const data = await this.getCredentials('pageAudienceApi');
		const type = 'pageAudienceApi';
		const decrypted = { credentialsDecrypted: { id: '', name: '', type, data } };
		const send = async (contact) => {
			const { body } = await this.helpers.httpRequestWithAuthentication.call(this, type, {
				method: 'POST',
				url: data.baseUrl + '/v0/person_logs',
				headers: { accept: 'application/json', 'content-type': 'application/json' },
				body: JSON.stringify(toPersonLog(contact)),
				timeout: 60000,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				allowedDomains: new URL(data.baseUrl).hostname,
			}, decrypted);
			return body;
		};
		const waiting = [...this.getInputData().entries()].reverse();
		const output = [];
		const work = async () => {
			for (let next = waiting.pop(); next; next = waiting.pop()) {
				const [item, { json }] = next;
				output[item] = { json: await send(json), pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('atOnce', 0) }, work));
		return [output];
	}
}
exports.BareSender = BareSender;
`;

/** Installs a community package with the nodes that only the benchmark needs into n8n's user folder. */
export function installBenchPackage(userFolder: string): void {
	const folder = join(userFolder, '.n8n/nodes/node_modules', packageName);
	const nodes = { MinimalTrigger: minimalTrigger, Contacts: contacts, BareSender: bareSender };
	const description = {
		name: packageName,
		version: '1.0.0',
		keywords: ['n8n-community-node-package'],
		n8n: { n8nNodesApiVersion: 1, nodes: Object.keys(nodes).map(fileOf) },
	};
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
	for (const [name, code] of Object.entries(nodes)) {
		const file = join(folder, fileOf(name));
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, code);
	}
}
