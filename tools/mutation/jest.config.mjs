import { join } from 'node:path';
import jest from '../../jest.config.mjs';

const here = import.meta.dirname;
const rootDir = join(here, '../..');

/** Unit and engine tests, with a runner that switches changes on. */
export default {
	...jest,
	rootDir,
	reporters: [],
	projects: jest.projects
		.filter(({ displayName }) => ['unit', 'engine'].includes(displayName))
		.map((project) => ({
			...project,
			rootDir,
			runner: join(here, 'runner.mts'),
			testEnvironment: join(here, 'environment.mts'),
			testPathIgnorePatterns: [
				// It takes long, and reaches nothing that the other tests do not reach.
				'/scale\\.test\\.mts$',
				// Its texts of 15 MB take minutes in code with every change.
				'/engine/trigger/bodies\\.test\\.mts$',
				// They read the source, in which every change stands.
				'/(?:docs/messages|contract/processMemory)\\.test\\.mts$',
				// It needs a clone of the repository.
				'/repository/release\\.test\\.mts$',
			],
		})),
};
