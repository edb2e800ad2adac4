import { execFileSync } from 'node:child_process';
import jestConfig from '../../jest.config.mjs';
import { isPacked } from '../package.mts';
import { root } from '../root.mts';
import { listChanges } from './changes.mts';
import { Graph } from './graph.mts';

const { projects } = jestConfig as {
	projects: Array<{ displayName: string; globalSetup?: string }>;
};

/** These say what the code and the tests run with. */
const ofAll =
	/^(?:jest\.config\.mjs|package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|tsconfig\.json)$/;
const code = /\.[cm]?[jt]s$/;

/** What the changes on this branch concern. */
export class Affected {
	readonly changes: string[];
	readonly #files: string[];
	readonly #graph: Graph;

	constructor(changes = listChanges()) {
		this.changes = changes;
		const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
			cwd: root,
			encoding: 'utf8',
		});
		this.#files = [...new Set([...listed.split('\0').filter(Boolean), ...changes])];
		this.#graph = new Graph(this.#files);
	}

	get hasCode(): boolean {
		return this.#some(code);
	}

	get hasPackage(): boolean {
		return this.changes.some(isPacked);
	}

	/** The test files of a project of jest.config.mjs that read a changed file. */
	listTests(project: string): string[] {
		const setup = findSetup(project);
		const isOf = (file: string) =>
			file.startsWith(`test/${project}/`) && file.endsWith('.test.mts');
		return this.#files.filter((file) => {
			if (!isOf(file)) return false;
			if (this.#some(ofAll)) return true;
			// A project with n8n has its start in common, and its tests import nothing of the package.
			const reached = this.#graph.reach([file, ...setup], { inN8n: setup.length > 0 });
			return this.changes.some((change) => reached.has(change));
		});
	}

	#some(pattern: RegExp): boolean {
		return this.changes.some((change) => pattern.test(change));
	}
}

function findSetup(project: string): string[] {
	const found = projects.find(({ displayName }) => displayName === project);
	return found?.globalSetup ? [found.globalSetup.replace('<rootDir>/', '')] : [];
}
