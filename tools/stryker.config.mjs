import jest from '../jest.config.mjs';

const names = (process.env.MUTATION_PROJECTS ?? 'unit,engine').split(',');
const projects = jest.projects
	.filter(({ displayName }) => names.includes(displayName))
	.map((project) => ({
		...project,
		// It records which tests reach which change.
		testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
		// It takes long, and reaches nothing that the other tests do not reach.
		testPathIgnorePatterns: ['/scale\\.test\\.mts$'],
	}));

export default {
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: { config: { ...jest, projects }, enableFindRelatedTests: true },
	coverageAnalysis: 'perTest',
	ignorePatterns: ['.cache', 'dist'],
	tempDirName: '.cache/stryker',
	reporters: ['clear-text', 'html'],
	htmlReporter: { fileName: '.cache/mutation/index.html' },
	clearTextReporter: { allowColor: false, reportTests: false },
	disableTypeChecks: false,
};
