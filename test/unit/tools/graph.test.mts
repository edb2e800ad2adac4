import { globSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Graph } from '../../../tools/changed/graph.mts';
import { root } from '../../../tools/root.mts';
import { makeTemporaryFolder, removeFolder } from '../../../tools/temporary.mts';

const folders = '{nodes,credentials,icons,sandbox,test,tools,examples,docs}';
const files = globSync([`${folders}/**/*.*`, '*.*', 'LICENSE'], {
	cwd: root,
	exclude: (path) => path.includes('node_modules'),
});
const graph = new Graph(files);

/** The tests of a project that read a file, without the folder and the ending that all have. */
function listReaders(project: string, file: string): string[] {
	expect(files).toContain(file);
	const ending = '.test.mts';
	const tests = files.filter(
		(each) => each.startsWith(`test/${project}/`) && each.endsWith(ending),
	);
	const inN8n = ['e2e', 'browser'].includes(project);
	return tests
		.filter((test) => graph.reach([test], { inN8n }).has(file))
		.map((test) => test.slice(`test/${project}/`.length, -ending.length));
}

test('a test reads what it imports, directly or not', () => {
	const readers = listReaders('unit', 'nodes/api/hostReach.ts');
	expect(readers).toEqual(expect.arrayContaining(['api/hostReach', 'docs/messages']));
	expect(readers).not.toContain('parameters/dates');
});

test('a test reads the files, folders and patterns that its texts name', () => {
	expect(listReaders('unit', 'docs/internals.md')).toEqual(
		expect.arrayContaining(['docs/links', 'docs/references']),
	);
	expect(listReaders('engine', 'docs/internals.md')).not.toContain('onError');
	expect(listReaders('unit', 'nodes/PageAudienceTrigger/uses.ts')).toContain(
		'contract/processMemory',
	);
	expect(listReaders('engine', 'sandbox/openapi.yaml')).toContain('onError');
	expect(listReaders('engine', 'test/fixtures/0.1.0/trigger/left.json')).toContain(
		'updates/trigger',
	);
});

test('a test reads a file without an ending, and one in a folder that a variable holds', () => {
	expect(listReaders('unit', 'LICENSE')).toContain('repository/release');
	expect(listReaders('e2e', 'LICENSE')).not.toContain('sync');
	expect(listReaders('sandbox', 'sandbox/demo/style.css')).toContain('demo');
});

test('tests of the documents read what these link to, and none of its imports', () => {
	const readers = listReaders('unit', 'test/engine/onError.test.mts');
	expect(readers).toEqual(expect.arrayContaining(['docs/links', 'docs/references']));
	expect(listReaders('unit', 'test/engine/stage.mts')).not.toContain('docs/links');
	expect(listReaders('e2e', 'test/engine/onError.test.mts')).toEqual([]);
});

test('a JSON file that does not parse names nothing', () => {
	const folder = relative(root, makeTemporaryFolder());
	const [broken, whole] = ['broken', 'whole'].map((name) => join(folder, `${name}.json`));
	const text = JSON.stringify({ type: 'pageAudienceTrigger', note: '"' });
	writeFileSync(join(root, whole), text);
	writeFileSync(join(root, broken), `// A comment\n${text}`);
	const trigger = 'nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';
	const polling = 'nodes/PageAudiencePollingTrigger/PageAudiencePollingTrigger.node.ts';
	const graph = new Graph([broken, whole, trigger, polling]);
	const reach = (file: string) => [...graph.reach([file], { inN8n: true })];
	expect(reach(whole)).not.toContain(polling);
	expect(reach(broken)).toEqual([broken, trigger, polling]);
	removeFolder(join(root, folder));
});

test('a test in n8n reads the nodes that it runs', () => {
	const ofTrigger = listReaders('e2e', 'nodes/PageAudienceTrigger/publish.ts');
	expect(ofTrigger).toEqual(expect.arrayContaining(['trigger/testing', 'install', 'examples']));
	expect(ofTrigger).not.toContain('sync');
	const ofPolling = listReaders('e2e', 'nodes/PageAudiencePollingTrigger/poll.ts');
	expect(ofPolling).toEqual(expect.arrayContaining(['polling/scheduler', 'install']));
	expect(ofPolling).not.toContain('trigger/testing');
	expect(listReaders('e2e', 'nodes/api/client.ts')).toEqual(
		expect.arrayContaining([...ofTrigger, ...ofPolling, 'sync']),
	);
});

test('a test in n8n reads the operations of the starter workflows that it runs', () => {
	for (const resource of ['audience', 'person']) {
		const file = `nodes/PageAudience/resources/${resource}.ts`;
		expect(listReaders('e2e', file)).toContain('examples');
		expect(listReaders('browser', file)).toContain('starters');
	}
});

test('a test in n8n reads a resource that it names by its label', () => {
	const file = 'nodes/PageAudience/resources/webhookSubscription.ts';
	expect(listReaders('browser', file)).toContain('journeys');
	expect(listReaders('browser', file)).not.toContain('pick');
});

test('a test of the triggers does not read the action node', () => {
	const action = 'nodes/PageAudience/PageAudience.node.ts';
	expect(listReaders('engine', action)).toContain('onError');
	expect(listReaders('engine', action)).not.toContain('trigger/publishing');
});
