import jest from '../jest.config.mjs';

const projects = jest.projects
	.filter(({ displayName }) => ['unit', 'engine'].includes(displayName))
	// Stryker counts which tests reach a change.
	.map((project) => ({
		...project,
		testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
	}));

export default {
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: { config: { ...jest, projects }, enableFindRelatedTests: true },
	coverageAnalysis: 'perTest',
	ignorePatterns: ['.cache', 'dist'],
	tempDirName: '.cache/stryker',
	reporters: ['clear-text', 'progress', 'html'],
	htmlReporter: { fileName: '.cache/mutation/index.html' },
	clearTextReporter: { allowColor: false, reportTests: false },
};
