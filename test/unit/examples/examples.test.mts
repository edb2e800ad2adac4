import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';
import { examples } from '../../../tools/start/starter.mts';
import type { Workflow, WorkflowNode } from '../../../tools/n8n/workflow.mts';
import { root } from '../../../tools/root.mts';

// What n8n's library of workflows asks for, and what a person who imports one relies on.

const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.json'));
const starters = files.map((file) => {
	const text = readFileSync(join(root, 'examples', file), 'utf8');
	return { file, text, workflow: JSON.parse(text) as Workflow };
});

test('npm start, the tests and the page of starters know all of them', () => {
	const known = Object.values(examples).map((name) => `${name}.json`);
	expect(known.sort()).toEqual(files);
	const page = readFileSync(join(root, 'examples/README.md'), 'utf8');
	for (const file of files) expect(page).toContain(`](${file})`);
});

const secrets: Array<[what: string, pattern: RegExp]> = [
	['a token of Slack', /\bxox[a-z]-[\w-]{10,}/],
	['a key of OpenAI or Anthropic', /\bsk-[\w-]{20,}/],
	['a token of GitHub', /\bgh[pousr]_\w{36,}/],
	['a key of Google', /\bAIza[\w-]{35}/],
	['a key of AWS', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
	['a JWT', /\beyJ[\w-]{8,}\.[\w-]{8,}\./],
	['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
	['a long hexadecimal secret', /\b[a-f0-9]{32,}\b/i],
	['an email address of a real domain', /[\w.%+-]+@(?![\w.-]*\.example\b)[\w-]+\.[a-z]{2,}/i],
	['an address of a real host', /https?:\/\/(?!127\.0\.0\.1[:/]|[\w.-]*\.example[/"])[\w.-]+/],
];

const writing = resources.flatMap(({ value: resource, operations }) =>
	operations.flatMap(({ value, writes }) => (writes ? [`${resource}.${value}`] : [])),
);

const writes = ({ type, parameters: { resource, operation } }: WorkflowNode): boolean =>
	type === 'n8n-nodes-page-audience.pageAudience' &&
	writing.includes(`${String(resource)}.${String(operation)}`);

describe.each(starters)('$file', ({ text, workflow }) => {
	const { nodes, connections } = workflow;

	test('has nothing of an n8n, an account or an execution', () => {
		expect(Object.keys(workflow).sort()).toEqual(['connections', 'name', 'nodes', 'settings']);
		expect(nodes.filter(({ credentials }) => credentials).map(({ name }) => name)).toEqual([]);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
	});

	test.each(secrets)('does not contain %s', (_, pattern) => {
		expect(pattern.exec(text)?.[0]).toBeUndefined();
	});

	test('tells what it does in a note', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes.map(({ name }) => name)).toContain('About this workflow');
	});

	test('connects the Error output of what writes', () => {
		for (const { name, onError } of nodes.filter(writes)) {
			expect([name, onError]).toEqual([name, 'continueErrorOutput']);
			expect(connections[name]?.main?.[1]?.length).toBeGreaterThan(0);
		}
	});
});
