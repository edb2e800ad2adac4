import jest from '../jest.config.mjs';

const { MUTATION_FOLDER, MUTATION_PROJECTS } = process.env;
const projects = jest.projects
	.filter(({ displayName }) => MUTATION_PROJECTS.split(',').includes(displayName))
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
	tempDirName: MUTATION_FOLDER,
	reporters: ['clear-text', 'html'],
	htmlReporter: { fileName: '.cache/mutation/index.html' },
	clearTextReporter: { allowColor: false, reportTests: false },
	disableTypeChecks: false,
};
