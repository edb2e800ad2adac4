import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Affected } from '../../../tools/changed/affected.mts';
import { root } from '../../../tools/root.mts';
import { removeFolder } from '../../../tools/temporary.mts';
import { copyRepository } from '../../repositoryCopy.mts';

const soak = ['soak/soak.mts'];

test.each(['pnpm-lock.yaml', 'tsup.config.ts', 'gulpfile.js', 'tsconfig.json', 'tools/build.mts'])(
	'%s decides what is in the tarball',
	(file) => expect(new Affected([file]).hasPackage).toBe(true),
);

test('a file of the sandbox is not in the tarball', () => {
	expect(new Affected(['sandbox/guesses.mts']).hasPackage).toBe(false);
});

test("Jest's order of the tests concerns all of them, and its setup those of a project", () => {
	const order = new Affected(['tools/interleaved.mts']);
	expect(order.listTests('unit')).toContain('test/unit/tools/affected.test.mts');
	expect(order.listTests('browser')).toContain('test/browser/pick.test.mts');
	const secondAttempt = new Affected(['test/e2e/secondAttempt.mts']);
	expect(secondAttempt.listTests('e2e')).toContain('test/e2e/sync.test.mts');
	expect(secondAttempt.listTests('engine')).toEqual([]);
});

test('other releases of n8n, and the tests that run in them, concern compat', () => {
	const release = new Affected(['test/compat/releases.mts']);
	expect(release.listTests('compat')).toContain('test/compat/loading.test.mts');
	expect(release.listTests('e2e')).toEqual([]);
	const shared = new Affected(['test/e2e/onError.test.mts']);
	expect(shared.listTests('compat')).toEqual(['test/e2e/onError.test.mts']);
	expect(new Affected(['test/e2e/sync.test.mts']).listTests('compat')).toEqual([]);
});

test('the soak test reads what it imports, and what n8n runs for it', () => {
	expect(new Affected(['soak/pace.mts']).isRead(soak)).toBe(true);
	expect(new Affected(['nodes/PageAudienceTrigger/publish.ts']).isRead(soak)).toBe(true);
	expect(new Affected(['test/browser/pick.test.mts']).isRead(soak)).toBe(false);
});

test('a test file that was deleted does not run', () => {
	const gone = 'test/unit/api/gone.test.mts';
	expect(new Affected([gone, 'jest.config.mjs']).listTests('unit')).not.toContain(gone);
});

test('one line says that no step concerns the changes', () => {
	const { folder } = copyRepository(/^LICENSE$/);
	const env = { ...process.env, GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: folder };
	const { status, stdout } = spawnSync(process.execPath, ['tools/test.mts', 'changed'], {
		cwd: root,
		env,
		encoding: 'utf8',
	});
	removeFolder(folder);
	expect(stdout).toBe(
		'Changed since main: nothing\nNothing to run: no step concerns these changes\n',
	);
	expect(status).toBe(0);
});
