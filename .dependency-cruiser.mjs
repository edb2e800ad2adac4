// Imports point one way: *.node.ts → resources, run → operation → errors, lists → parameters, records → api → runtime. `npm run imports` checks it.

/** A rule: of this repository, files in `from` may import only `allowed`. */
const mayImportOnly = (name, from, allowed, comment) => ({
	name,
	comment,
	severity: 'error',
	from: { path: from },
	to: { path: '^(nodes|credentials|sandbox|test|tools|bench|soak)/', pathNot: allowed },
});

const runtime = '^nodes/runtime/';
const api = '^nodes/api/';
const parameters = '^nodes/parameters/';
const records = '^nodes/records/';
const lists = '^nodes/lists/';
const files = '^nodes/files/';
const errors = '^nodes/errors\\.ts$';

export default {
	forbidden: [
		{
			name: 'no-cycles',
			comment: 'Files that import each other cannot be read, tested or moved alone.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'resolvable',
			comment: 'An import that leads nowhere would escape every other rule.',
			severity: 'error',
			from: {},
			to: { couldNotResolve: true },
		},
		{
			name: 'nothing-of-the-tools',
			comment: 'What ships must not depend on what does not.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(test|sandbox|tools|bench|soak)/' },
		},
		mayImportOnly(
			'runtime',
			runtime,
			[runtime],
			'nodes/runtime keeps a long run polite, whatever it does.',
		),
		mayImportOnly('api', api, [api, runtime], 'nodes/api knows HTTP and nothing of n8n nodes.'),
		mayImportOnly(
			'parameters',
			parameters,
			[parameters, api, runtime],
			'nodes/parameters reads and checks values. Every node uses it, so it knows none of them.',
		),
		mayImportOnly(
			'lists',
			lists,
			[lists, parameters, api, runtime],
			'nodes/lists fills the lists to choose from. Every node uses it, so it knows none of them.',
		),
		mayImportOnly(
			'records',
			records,
			[records, api],
			'nodes/records describes what the API returns. Every node uses it, so it knows none of them.',
		),
		mayImportOnly(
			'files',
			files,
			[files],
			'nodes/files writes records to files, whatever they are.',
		),
		mayImportOnly(
			'errors',
			errors,
			[parameters, api],
			'nodes/errors.ts turns what went wrong into errors for n8n. Every node uses it.',
		),
		mayImportOnly(
			'node',
			'^nodes/([A-Z][^/]*)/',
			['^nodes/$1/', errors, files, lists, parameters, records, api, runtime],
			'Nodes share the folders of nodes/ that begin with a small letter, and never import each other.',
		),
		mayImportOnly(
			'operation',
			'^nodes/PageAudience/operation/',
			['^nodes/PageAudience/operation/', errors, files, parameters, records, api, runtime],
			'An operation says what it is. It knows neither the run nor a resource.',
		),
		mayImportOnly(
			'run',
			'^nodes/PageAudience/run/',
			['^nodes/PageAudience/(run|operation)/', errors, files, parameters, records, api, runtime],
			'The run executes every operation, so it knows no resource.',
		),
		mayImportOnly(
			'resources',
			'^nodes/PageAudience/resources/',
			['^nodes/PageAudience/(resources|operation)/', parameters, records, api, runtime],
			'A resource says what an operation is. It knows nothing of the node.',
		),
		mayImportOnly(
			'subscription',
			'^nodes/PageAudienceTrigger/subscription/',
			['^nodes/PageAudienceTrigger/subscription/', parameters, api, runtime],
			'What to change of a webhook subscription is decided from values alone. Others send and store.',
		),
		mayImportOnly(
			'credentials',
			'^credentials/',
			['^credentials/', api],
			'The credential knows where the API is, and nothing of the nodes.',
		),
		{
			name: 'node-is-the-top',
			comment: 'Only n8n loads *.node.ts and *.credentials.ts.',
			severity: 'error',
			from: {},
			to: { path: '^(nodes|credentials)/.*\\.(node|credentials)\\.ts$' },
		},
	],
	options: {
		doNotFollow: { path: '(^|/)node_modules/' },
		tsConfig: { fileName: 'tsconfig.json' },
		tsPreCompilationDeps: true,
		enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'types'] },
	},
};
