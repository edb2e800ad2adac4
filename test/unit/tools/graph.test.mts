import { globSync } from 'node:fs';
import { Graph } from '../../../tools/changed/graph.mts';
import { root } from '../../../tools/root.mts';

const folders = '{nodes,credentials,icons,sandbox,test,tools,examples,docs}';
const files = globSync([`${folders}/**/*.*`, '*.*'], {
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
	expect(readers).toEqual(expect.arrayContaining(['api/hostReach', 'api/client']));
	expect(readers).not.toContain('parameters/dates');
});

test('a test reads the files, folders and patterns that its texts name', () => {
	expect(listReaders('unit', 'docs/internals.md')).toEqual(
		expect.arrayContaining(['docs/links', 'docs/references']),
	);
	expect(listReaders('engine', 'docs/internals.md')).not.toContain('onError');
	expect(listReaders('unit', 'nodes/PageAudienceTrigger/uses.ts')).toContain('contract/growth');
	expect(listReaders('engine', 'sandbox/openapi.yaml')).toContain('onError');
	expect(listReaders('engine', 'test/fixtures/0.1.0/trigger/left.json')).toContain(
		'updates/trigger',
	);
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

test('a test in n8n reads the operations that it names, and all where it names none', () => {
	const matching = 'nodes/PageAudience/resources/audienceSession/matching.ts';
	expect(listReaders('e2e', matching)).toEqual(expect.arrayContaining(['loading', 'reads']));
	expect(listReaders('e2e', matching)).not.toContain('sync');
	expect(listReaders('browser', matching)).toContain('firstWorkflow');
	expect(listReaders('browser', matching)).not.toContain('pick');
});
