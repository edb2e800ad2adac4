import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** One thing that n8n asks of a package that it verifies, or of any community package. */
type Requirement = {
	asked: string;
	/** Where the package meets it. */
	met: string;
	/** What this program finds. Without it, `met` names the step of `npm test`, or the person who looks. */
	isMet?: () => boolean;
};
export type Finding = {
	asked: string;
	met: string;
	state: 'met' | 'tested' | 'for you' | 'NOT MET';
};

type Manifest = {
	name: string;
	license: string;
	keywords: string[];
	author: { name: string; email: string };
	homepage: string;
	repository: { url: string };
	bugs: { url: string };
	peerDependencies: Record<string, string>;
	n8n: { strict: boolean; nodes: string[]; credentials: string[] };
	[part: string]: unknown;
};
type Job = {
	permissions?: Record<string, string>;
	needs?: string;
	uses?: string;
	if?: unknown;
	steps?: Array<{ run?: string }>;
};

const templateLint = "import { config } from '@n8n/node-cli/eslint';\n\nexport default config;\n";
const placeholder = /\b(TODO|TBD|FIXME|change ?me|lorem ipsum|your-[a-z]+)\b|<your/i;

/**
 * The list of n8n's guidelines: https://docs.n8n.io/connect/create-nodes/build-your-node/reference/verification-guidelines
 * and https://docs.n8n.io/connect/create-nodes/deploy-your-node/submit-community-nodes
 */
export function checkVerification(folder: string): Finding[] {
	return list(folder).map(({ asked, met, isMet }) => {
		if (isMet) return { asked, met, state: isMet() ? 'met' : 'NOT MET' };
		return { asked, met, state: met.startsWith('npm ') ? 'tested' : 'for you' };
	});
}

function list(folder: string): Requirement[] {
	const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
	const manifest = JSON.parse(read('package.json')) as Manifest;
	const repository = /^git\+(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\.git$/.exec(
		manifest.repository.url,
	)?.[1];
	const built = (pattern: string): string[] =>
		globSync(pattern, { cwd: folder }).map((path) => join('dist', path).replace(/ts$/, 'js'));
	const lists = (named: string[], pattern: string): boolean =>
		named.length > 0 && named.toSorted().join() === built(pattern).sort().join();
	const { publish, test } = (
		parse(read('.github/workflows/publish.yml')) as { jobs: Record<string, Job> }
	).jobs;

	return [
		{
			asked: 'A name that starts with n8n-nodes-, and the keyword',
			met: 'package.json',
			isMet: () =>
				/^(@[\w-]+\/)?n8n-nodes-/.test(manifest.name) &&
				manifest.keywords.includes('n8n-community-node-package'),
		},
		{
			asked: 'All nodes and credentials in the n8n block',
			met: 'package.json',
			isMet: () =>
				lists(manifest.n8n.nodes, 'nodes/**/*.node.ts') &&
				lists(manifest.n8n.credentials, 'credentials/*.credentials.ts'),
		},
		{
			asked: "Made and checked with n8n's own tool",
			met: 'n8n.strict in package.json, eslint.config.mjs as in the template',
			isMet: () => manifest.n8n.strict && read('eslint.config.mjs') === templateLint,
		},
		{
			asked: 'The MIT license',
			met: 'package.json, LICENSE',
			isMet: () => manifest.license === 'MIT' && read('LICENSE').startsWith('MIT License\n'),
		},
		{
			asked: 'No runtime dependencies',
			met: 'package.json: the libraries are bundled',
			isMet: () =>
				['dependencies', 'optionalDependencies', 'bundledDependencies', 'bundleDependencies'].every(
					(kind) => !(kind in manifest),
				) && Object.keys(manifest.peerDependencies).join() === 'n8n-workflow',
		},
		{
			asked: 'One repository on GitHub in every link of package.json',
			met: 'repository, homepage and bugs',
			isMet: () =>
				repository !== undefined &&
				manifest.homepage === `${repository}#readme` &&
				manifest.bugs.url === `${repository}/issues`,
		},
		{
			asked: 'An author with a name and an email address',
			met: 'package.json',
			isMet: () => Boolean(manifest.author.name && manifest.author.email),
		},
		{
			asked: 'Published from a GitHub Action, with provenance, after all tests',
			met: '.github/workflows/publish.yml, tools/publish.mts',
			isMet: () =>
				publish?.permissions?.['id-token'] === 'write' &&
				publish.needs === 'test' &&
				publish.if === undefined &&
				test?.uses === './.github/workflows/ci.yml' &&
				publish.steps?.at(-1)?.run === 'node tools/publish.mts "$GITHUB_REF_NAME"' &&
				read('tools/publish.mts').includes("'--provenance'"),
		},
		{
			asked: 'A README with installation, authentication and usage',
			met: 'README.md',
			isMet: () =>
				['Install', 'Credential', 'Your first workflow', 'Operations'].every((heading) =>
					read('README.md').includes(`\n## ${heading}\n`),
				),
		},
		{
			asked: 'Example workflows',
			met: 'examples/, each run in npm test -- e2e',
			isMet: () => globSync('examples/*.json', { cwd: folder }).length > 0,
		},
		{
			asked: 'Nothing that a template left',
			met: 'README.md, SECURITY.md, LICENSE, package.json',
			isMet: () =>
				['README.md', 'SECURITY.md', 'LICENSE', 'package.json'].every(
					(path) => existsSync(join(folder, path)) && !placeholder.test(read(path)),
				),
		},
		{
			asked: 'No access to environment variables or files',
			met: "npm test -- scan: n8n's scan of the source and of the tarball",
		},
		{ asked: "n8n's linter passes", met: 'npm test -- lint scan' },
		{ asked: 'English only', met: 'npm run prose, in npm test -- lint' },
		{ asked: 'TypeScript, errors handled, values checked', met: 'npm test -- types unit engine' },
		{
			asked: 'Exactly one service, no node that n8n has, no logic or flow control',
			met: 'README.md says what the nodes do',
		},
		{
			asked: "No competition with n8n's paid features, or n8n may reject it",
			met: 'README.md says what the nodes do',
		},
		{
			asked: "n8n's UX guidelines",
			met: "the table in CONTRIBUTING.md, n8n's guidelines",
		},
		{
			asked: 'A public repository whose owner also owns the package on npm',
			met: `${manifest.repository.url} must be public, and npm must trust it (CONTRIBUTING.md, Release)`,
		},
		{
			asked: 'A submission in the n8n Creator Portal',
			met: 'https://creators.n8n.io/nodes, after the first release (CONTRIBUTING.md, Release)',
		},
	];
}
