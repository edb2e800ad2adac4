// Beside eslint.config.mjs, because n8n wants that one unchanged.
import { config } from '@n8n/node-cli/eslint';
import redos from 'eslint-plugin-redos';

// The parser and the plugin that n8n's lint uses, and how it finds files.
const { languageOptions } = config.find((each) => each.languageOptions?.parser);
const { plugins: imports } = config.find((each) => each.plugins?.['import-x']);
const { settings } = config.find((each) => each.settings?.['import-x/resolver-next']);

const top = ['PageAudience', 'PageAudienceTrigger', 'PageAudiencePollingTrigger'];
const http = ['api', 'webhooks', 'runtime'];
const values = ['parameters', 'records', ...http];
const shared = ['nodeErrors.ts', 'files', 'lists', 'cells', ...values];
const ledger = 'PageAudience/ledger';
const operation = 'PageAudience/operation';

/** Imports point one way: of `nodes/`, each folder may import only itself and these. */
const allowed = {
	runtime: [],
	webhooks: ['runtime'],
	api: ['webhooks', 'runtime'],
	parameters: http,
	records: ['api', 'runtime'],
	lists: ['parameters', ...http],
	files: [],
	'nodeErrors.ts': ['parameters', 'api', 'runtime'],
	...Object.fromEntries(top.map((node) => [node, shared])),
	[ledger]: ['api', 'runtime'],
	[operation]: [ledger, 'nodeErrors.ts', 'files', ...values],
	'PageAudience/run': [operation, ledger, 'nodeErrors.ts', 'files', ...values],
	cells: ['parameters', 'runtime'],
	'PageAudience/resources': [operation, 'cells', ...values],
};

const zones = [
	...Object.entries(allowed).map(([folder, others]) => ({
		target: `./nodes/${folder}`,
		from: './nodes',
		except: [folder, ...others].map((path) => `./${path}`),
		message: `nodes/${folder} may import only ${[folder, ...others].join(', ')}`,
	})),
	{ target: './credentials', from: './nodes', except: ['./api', './runtime'] },
	{
		target: ['./nodes', './credentials'],
		from: ['./test', './sandbox', './tools', './bench'],
		message: 'What ships must not depend on what does not',
	},
	{
		target: ['./nodes/**/*', './credentials/**/*'],
		from: ['./nodes/**/*.node.ts', './credentials/**/*.credentials.ts'],
		message: 'Only n8n loads this file',
	},
];

/** The search for a text that takes long takes a minute, and finds hardly more than with these limits. */
const quick = {
	...{ maxNFASize: 5_000, maxIteration: 2, maxGenerationSize: 30 },
	...{ maxInitialGenerationSize: 100, mutationSize: 5, crossoverSize: 5 },
};

/** Any pattern may meet a text of a stranger, who could stop n8n with it if it took more than linear time. */
const linear = {
	'redos/no-vulnerable': [
		'error',
		{
			ignoreErrors: false,
			// Where the machine pauses, a pattern whose check has a time limit counts as slow.
			...{ timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null },
			...(process.env.QUICK_TESTS ? quick : {}),
		},
	],
};

const restricted = [
	{
		selector: ':matches(NewExpression, CallExpression)[callee.name="RegExp"]',
		message: 'Write the pattern as a literal, because only those can be checked',
	},
	{
		selector: 'NewExpression[callee.name="RecentMap"]:not([arguments.0.value<=10000])',
		message: 'Write the bound as a number, 10,000 at most: it lives as long as the process',
	},
];

/** Who measures how long a comparison takes could guess the token of a trigger letter by letter. */
const secret = [
	{
		selector: 'Program:not(:has(CallExpression[callee.name="timingSafeEqual"]))',
		message: 'Compare the token with timingSafeEqual',
	},
	{
		selector:
			'BinaryExpression[operator=/^[!=]==?$/]:not([right.name="undefined"], [right.type="Literal"])',
		message: 'What is compared here may be the token: use timingSafeEqual',
	},
];

export default [
	{
		files: ['{nodes,credentials}/**/*.ts'],
		languageOptions: { parser: languageOptions.parser },
		plugins: { redos, ...imports },
		settings: { ...settings, 'import-x/extensions': ['.ts'] },
		rules: {
			...linear,
			'no-restricted-syntax': ['error', ...restricted],
			'import-x/no-restricted-paths': ['error', { zones }],
		},
	},
	{
		files: ['nodes/**/token.ts'],
		rules: { 'no-restricted-syntax': ['error', ...restricted, ...secret] },
	},
];
