import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { JsonObject } from '../../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../../tools/n8n/workflow.mts';
import { root } from '../../../tools/root.mts';
import { exampleNames, examples, readExample } from '../../../tools/start/starter.mts';
import type { Workbench } from '../workbench.mts';

const folder = join(root, 'examples');
const sticky = 'n8n-nodes-base.stickyNote';
const all = exampleNames.map((example) => ({ example, ...readExample(example) }));
const toNode = (node: WorkflowNode): INode => ({
	...node,
	id: node.name,
	parameters: node.parameters as INodeParameters,
});
const isNote = ({ type }: WorkflowNode): boolean => type === sticky;

/** `open` gives the bench that all examples share. */
export const describeFiles = (open: () => Workbench): void =>
	describe('the files', () => {
		let bench: Workbench;
		let descriptions: INodeTypeDescription[];
		beforeAll(async () => {
			bench = open();
			const answer = await bench.client.session.send('GET', '/types/nodes.json');
			descriptions = (await answer.json()) as INodeTypeDescription[];
		});

		/** The node's description in n8n, for its own nodes and the package's. */
		function describeNode({ type, typeVersion }: WorkflowNode): INodeTypeDescription {
			const found = descriptions.find(
				({ name, version }) => name === type && [version].flat().includes(typeVersion),
			);
			if (!found) throw new Error(`n8n has no ${type} of version ${typeVersion}`);
			return found;
		}

		/** The node's parameters as n8n reads them, with defaults for those that the file leaves out. */
		function readParameters(node: WorkflowNode): INodeParameters | null {
			const description = describeNode(node);
			return NodeHelpers.getNodeParameters(
				description.properties,
				node.parameters as INodeParameters,
				true,
				false,
				toNode(node),
				description,
			);
		}

		test('every file is offered at start-up and listed in the README of the folder', () => {
			const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
			expect(files.sort()).toEqual(
				Object.values(examples)
					.map((name) => `${name}.json`)
					.sort(),
			);
			const readme = readFileSync(join(folder, 'README.md'), 'utf8');
			for (const { example, name } of all) {
				expect(readme).toContain(`[${name}](${examples[example]}.json)`);
			}
		});

		describe.each(all)('$name', ({ nodes, connections }) => {
			test('sets only parameters that its nodes have', () => {
				for (const node of nodes) {
					// n8n leaves out parameters that the node does not have or does not show.
					expect([node.name, readParameters(node)]).toMatchObject([node.name, node.parameters]);
				}
			});

			test('has no value that n8n marks as invalid', () => {
				for (const node of nodes) {
					const description = describeNode(node);
					const whole = { ...toNode(node), parameters: readParameters(node) ?? {} };
					const issues = NodeHelpers.getNodeParametersIssues(
						description.properties,
						whole,
						description,
					);
					expect([node.name, issues]).toEqual([node.name, null]);
				}
			});

			test('uses only nodes of n8n and of the package, and no code', () => {
				for (const { type } of nodes) {
					expect(type).toMatch(/^n8n-nodes-(base|page-audience)\./);
					expect(type).not.toMatch(/\.(code|function|httpRequest|executeCommand)/i);
				}
			});

			test('holds no credential and no webhook ID', () => {
				for (const node of nodes) expect(Object.keys(node)).not.toContain('credentials');
				for (const node of nodes) expect(Object.keys(node)).not.toContain('webhookId');
			});

			test('places each step on one note, without overlaps', () => {
				const notes = nodes.filter(isNote);
				const steps = nodes.filter((node) => !isNote(node));
				expect(notes.length).toBeGreaterThan(2);
				for (const step of steps) {
					const on = notes.filter((note) => contains(boxOf(note), boxOf(step)));
					expect([step.name, on.length]).toEqual([step.name, 1]);
				}
				for (const group of [notes, steps]) {
					for (const [i, one] of group.entries()) {
						for (const other of group.slice(i + 1)) {
							expect([one.name, other.name, overlap(boxOf(one), boxOf(other))]).toEqual([
								one.name,
								other.name,
								false,
							]);
						}
					}
				}
			});

			test('connects every step, and gives each its own name', () => {
				const names = nodes.map(({ name }) => name);
				expect(new Set(names).size).toBe(names.length);
				const connected = Object.entries(connections).flatMap(([from, { main }]) => [
					from,
					...main.flat().map(({ node }) => node),
				]);
				expect(new Set(connected)).toEqual(
					new Set(nodes.filter((node) => !isNote(node)).map(({ name }) => name)),
				);
			});

			test('names only existing nodes in expressions', () => {
				const names = nodes.map(({ name }) => name);
				const text = nodes.map(({ parameters }) => JSON.stringify(parameters)).join('\n');
				for (const [, name] of text.matchAll(/\$\('([^']+)'\)/g)) expect(names).toContain(name);
			});

			test('uses the right names of nodes and labels in notes', () => {
				const known = new Set([
					...nodes.filter((node) => !isNote(node)).map(({ name }) => name),
					...nodes
						.filter((node) => !isNote(node))
						.flatMap((node) => collectLabels(describeNode(node))),
					...all.map(({ name }) => name),
					...wordsOfTheEditor,
				]);
				for (const { parameters } of nodes.filter(isNote)) {
					for (const [, bold] of String(parameters.content).matchAll(/\*\*([^*]+)\*\*/g)) {
						for (const word of bold.split(/ > |: /)) expect([...known]).toContain(word);
					}
				}
			});
		});
	});

/** Bold text in notes that is not in the panels of the workflow's nodes. */
const wordsOfTheEditor = [
	'Execute workflow',
	'Executions',
	'Listen for test event',
	'On Error',
	'Continue (using error output)',
	'Data tables',
	'Append or Update Row',
	'Get Row(s) in Sheet',
	// Emphasis.
	'is not documented',
	'not documented',
	'not in use',
	'nine days',
	'empty cell',
	// From the sandbox's data.
	'Audience sessions',
	'Audience ID',
	'Custom name',
	'Action URL',
];

/** Every label in a node's panel, including options. */
function collectLabels(part: object): string[] {
	return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
		if (typeof value === 'string') return key === 'displayName' || key === 'name' ? [value] : [];
		return typeof value === 'object' && value !== null ? collectLabels(value) : [];
	});
}

type Box = { left: number; top: number; right: number; bottom: number };

/** The area of a step with two lines for its name, or of a note. */
function boxOf({ type, position: [x, y], parameters }: WorkflowNode): Box {
	const { width, height } = parameters as JsonObject & { width: number; height: number };
	return type === sticky
		? { left: x, top: y, right: x + width, bottom: y + height }
		: { left: x - 32, top: y, right: x + 96 + 32, bottom: y + 96 + 56 };
}

const contains = (outer: Box, inner: Box): boolean =>
	outer.left <= inner.left &&
	outer.top <= inner.top &&
	outer.right >= inner.right &&
	outer.bottom >= inner.bottom;

const overlap = (one: Box, other: Box): boolean =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;
