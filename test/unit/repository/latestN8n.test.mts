import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../tools/root.mts';
import { makeTemporaryFolder, removeFolder } from '../../../tools/temporary.mts';

// The last step of .github/workflows/latest.yml, with a `gh` that only notes what it is asked.

const title = 'The tests fail in the newest n8n';
const gh = `#!/usr/bin/env bash
case "$2" in
	list) cat "$NOTES/open" ;;
	create) printf '%s\\n' "$@" > "$NOTES/created" ;;
esac`;

let notes: string;
beforeEach(() => {
	notes = makeTemporaryFolder();
	writeFileSync(join(notes, 'gh'), gh, { mode: 0o755 });
	writeFileSync(join(notes, 'latest.log'), 'installed n8n\n1 failed: thanks, @somebody\n');
});
afterEach(() => removeFolder(notes));

/** What the issue holds that is opened, if one is. */
function report(...open: string[]): string | undefined {
	writeFileSync(join(notes, 'open'), open.map((each) => `${each}\n`).join(''));
	execFileSync('bash', [join(root, '.ci/issue'), title, join(notes, 'latest.log')], {
		env: {
			PATH: [notes, process.env.PATH].join(delimiter),
			NOTES: notes,
			GITHUB_SERVER_URL: 'https://github.com',
			GITHUB_REPOSITORY: 'owner/repository',
			GITHUB_RUN_ID: '17',
		},
	});
	const created = join(notes, 'created');
	return existsSync(created) ? readFileSync(created, 'utf8') : undefined;
}

test('a failure opens an issue with the run and the end of its log', () => {
	const issue = report('Another issue', `${title} again`);
	expect(issue).toContain(`--title\n${title}\n`);
	expect(issue).toContain('https://github.com/owner/repository/actions/runs/17 ended with:');
	// As code, it notifies nobody.
	expect(issue).toContain('\n\n    installed n8n\n    1 failed: thanks, @somebody\n');
});

test('while that issue is open, another failure opens none', () => {
	expect(report('Another issue', title)).toBeUndefined();
});

const workflow = readFileSync(join(root, '.github/workflows/latest.yml'), 'utf8');

test('the workflow reports a failure under this title', () => {
	expect(workflow).toContain(`- if: failure()\n        run: bash .ci/issue '${title}'`);
});

test('tests that hang fail their step before the job is cancelled, so that it reports them', () => {
	type Limited = { 'timeout-minutes': number };
	const { jobs } = parse(workflow) as {
		jobs: { compat: Limited & { steps: Array<Limited & { run?: string }> } };
	};
	const tests = jobs.compat.steps.find(({ run }) => run?.includes('compat latest'));
	expect(tests?.['timeout-minutes']).toBeLessThan(jobs.compat['timeout-minutes']);
});
