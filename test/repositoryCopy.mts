import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/root.mts';
import { makeTemporaryFolder } from '../tools/temporary.mts';

export type Git = (...args: string[]) => string;

/** Some files of this repository as they are now, as the only commit on main. */
export function copyRepository(isNeeded: RegExp): { folder: string; git: Git } {
	const folder = makeTemporaryFolder();
	const git = openGit(folder);
	const listed = openGit(root)('ls-files', '--cached', '--others', '--exclude-standard');
	for (const path of listed.split('\n')) {
		// A file that was deleted is still listed.
		if (!isNeeded.test(path) || !existsSync(join(root, path))) continue;
		cpSync(join(root, path), join(folder, path));
	}
	git('init', '--quiet', '--initial-branch', 'main');
	for (const [key, value] of Object.entries(settings)) git('config', key, value);
	git('add', '--all');
	git('commit', '--quiet', '--message', 'Everything');
	return { folder, git };
}

const settings = {
	'user.name': 'Test',
	'user.email': 'test@example.com',
	'commit.gpgSign': 'false',
	'tag.gpgSign': 'false',
};

const openGit =
	(folder: string): Git =>
	(...args) =>
		execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
