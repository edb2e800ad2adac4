import { execFileSync } from 'node:child_process';
import { root } from '../root.mts';

/** The files that differ from where this branch left main, committed or not, new and deleted ones among them. */
export function listChanges(): string[] {
	const base = findBase();
	const differing = git('diff', '--name-only', '--no-renames', '-z', base);
	const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
	return [...new Set([...differing.split('\0'), ...untracked.split('\0')])].filter(Boolean).sort();
}

/** A shallow clone has no main. */
function findBase(): string {
	for (const main of ['main', 'origin/main']) {
		try {
			return git('merge-base', 'HEAD', main).trim();
		} catch {
			continue;
		}
	}
	return 'HEAD';
}

const git = (...args: string[]): string =>
	execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
