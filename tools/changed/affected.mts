import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import jestConfig from '../../jest.config.mjs';
import { isPacked } from '../package.mts';
import { root } from '../root.mts';
import { listChanges } from './changes.mts';
import { Graph } from './graph.mts';

type Project = { displayName: string; testMatch: string[]; globalSetup?: string };
const { projects, ...ofProjects } = jestConfig as { projects: Project[] };

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

	/** Whether a changed file is read when these files run, by default with n8n. */
	isRead(starts: string[], { inN8n = true } = {}): boolean {
		const reached = this.#graph.reach(starts, { inN8n });
		return this.changes.some((change) => reached.has(change));
	}

	/** The test files of a project of jest.config.mjs that read a changed file. */
	listTests(project: string): string[] {
		// `compat` has a project for each release.
		const named = projects.filter(({ displayName }) => displayName.split('-')[0] === project);
		return [...new Set(named.flatMap((each) => this.#listTestsOf(each)))];
	}

	#listTestsOf({ testMatch, ...project }: Project): string[] {
		// A project with n8n has its start in common, and its tests import nothing of the package.
		const inN8n = project.globalSetup !== undefined;
		const setup = listPaths({ ...ofProjects, ...project });
		const patterns = listPaths(testMatch);
		return this.#files
			.filter((file) => existsSync(join(root, file)))
			.filter((file) => patterns.some((pattern) => matchesGlob(file, pattern)))
			.filter((file) => this.#some(ofAll) || this.isRead([file, ...setup], { inN8n }));
	}

	#some(pattern: RegExp): boolean {
		return this.changes.some((change) => pattern.test(change));
	}
}

/** Where it names files of the repository. */
const listPaths = (config: object): string[] =>
	[...JSON.stringify(config).matchAll(/"<rootDir>\/(.+?)"/g)].map(([, path]) => path);
