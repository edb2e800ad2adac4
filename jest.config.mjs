// Everything that does not ship is .mts, which Node 24 runs as it is; jest runs the same files as CommonJS.
// n8n's engine logs every failing node, which the tests bring about by the dozen.
process.env.N8N_LOG_LEVEL ??= 'silent';

const base = {
	testEnvironment: 'node',
	transform: {
		'\\.m?ts$|/tools/setup/\\w+\\.mjs$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	moduleFileExtensions: ['js', 'mts', 'ts', 'json', 'node'],
	// Copies of the package, some inside a whole n8n.
	modulePathIgnorePatterns: ['<rootDir>/.cache/', '<rootDir>/dist/'],
};
const project = (name) => ({
	...base,
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
});

// One n8n with the packed package serves all files of a project.
const projectInN8n = (name) => ({
	...project(name),
	globalSetup: '<rootDir>/test/e2e/startN8n.mts',
	globalTeardown: '<rootDir>/test/e2e/stopN8n.mts',
});

export default {
	projects: [project('unit'), project('engine'), projectInN8n('e2e'), projectInN8n('browser')],
};
