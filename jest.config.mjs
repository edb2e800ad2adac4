// Everything that does not ship is .mts, which Node 24 runs unchanged. Jest runs the same files as CommonJS.
// The tests make nodes fail by the dozen, and n8n's engine would log each of them.
process.env.N8N_LOG_LEVEL ??= 'silent';

const base = {
	testEnvironment: 'node',
	transform: {
		'\\.m?ts$|/(?:tools/setup/\\w+|jest\\.config)\\.mjs$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	moduleFileExtensions: ['js', 'mts', 'mjs', 'ts', 'json', 'node'],
	// Copies of the package, some inside a whole n8n.
	modulePathIgnorePatterns: ['<rootDir>/.cache/', '<rootDir>/dist/'],
};
const { COMPAT_N8N: compatN8n } = process.env;
const project = (name) => ({
	...base,
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
});

// One n8n with the packed package serves all files of a worker.
const inN8n = {
	globalSetup: '<rootDir>/test/n8n/start.mts',
	globalTeardown: '<rootDir>/test/n8n/stop.mts',
};

// The same package in other releases of n8n: test/compat has the older ones, and COMPAT_N8N names one more.
const triggers = [
	'<rootDir>/test/e2e/trigger/*.test.mts',
	'<rootDir>/test/e2e/polling/polling.test.mts',
];
const projectInRelease = (release) => ({
	...base,
	...inN8n,
	displayName: `compat-${release}`,
	testMatch: [
		'<rootDir>/test/compat/*.test.mts',
		'<rootDir>/test/e2e/{credential,endpoints,loading,onError,refusals}.test.mts',
		...triggers,
	],
});

export default {
	projects: [
		project('unit'),
		project('sandbox'),
		project('engine'),
		{ ...project('e2e'), ...inN8n },
		{ ...project('browser'), ...inN8n },
		{ ...project('queue'), ...inN8n },
		projectInRelease('n8n-1.123'),
		// The present n8n, but for how it activates workflows.
		{ ...base, ...inN8n, displayName: 'compat-older-activation', testMatch: triggers },
		...(compatN8n ? [projectInRelease(`n8n-${compatN8n}`)] : []),
	],
	// By default jest leaves one core idle.
	maxWorkers: '100%',
	// A test fails by its own conditions, never because the machine is busy: an n8n that shares its core takes long for a
	// burst of events. Longer tests set their own limit.
	testTimeout: 180_000,
};
