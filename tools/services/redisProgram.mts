import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../command.mts';
import { root } from '../root.mts';
import { provideFolder } from '../setup/folder.mjs';
import { showStep } from '../setup/progress.mjs';
import { findFolderWith, listFolders } from './findProgram.mts';
import { MissingServiceError } from './missing.mts';

export type RedisProgram = {
	path: string;
	/** The folders of its libraries, if the system does not know them. */
	libraries: string[];
};

const name = 'redis-server';

/** The Redis of this machine, else the one of its Debian or Ubuntu, unpacked without root. */
export async function provideRedis(): Promise<RedisProgram> {
	const folder = findFolderWith([name]);
	if (folder) return { path: join(folder, name), libraries: [] };
	if (!findFolderWith(['apt-get']) || !findFolderWith(['dpkg-deb'])) {
		throw new MissingServiceError(
			'there is no Redis on this machine, and no apt-get to download it with. Install Redis 6.2 or newer.',
		);
	}
	const unpacked = await unpack();
	return {
		path: join(unpacked, 'usr/bin', name),
		libraries: listFolders(join(unpacked, 'usr/lib')),
	};
}

async function unpack(): Promise<string> {
	const folder = join(root, '.cache/services/redis');
	await provideFolder(folder, async (partial) => {
		const apt = `${folder}.apt`;
		rmSync(apt, { recursive: true, force: true });
		try {
			await showStep(
				`Downloading ${name} with apt-get`,
				async () => await download(apt, partial),
				() => 'done',
			);
		} catch (error) {
			throw new MissingServiceError(
				`there is no Redis on this machine, and it could not be downloaded: ${String(error)}`,
			);
		}
		rmSync(apt, { recursive: true });
	});
	return folder;
}

/** Downloads the package with what it needs and this machine does not have. */
async function download(apt: string, target: string): Promise<void> {
	const lists = join(apt, 'lists');
	const archives = join(apt, 'archives');
	for (const folder of [lists, archives]) mkdirSync(join(folder, 'partial'), { recursive: true });
	// Lists of packages of our own: the system's may be missing or old, and only root may write them.
	const own = [
		`Dir::State::lists=${lists}`,
		`Dir::Cache=${apt}`,
		`Dir::Cache::archives=${archives}`,
	];
	// Root would otherwise download as a user that cannot write here.
	const options = [...own, 'Debug::NoLocking=true', 'APT::Sandbox::User=root'];
	const flags = ['--quiet', ...options.flatMap((option) => ['-o', option])];
	await runProgram('apt-get', ...flags, 'update');
	const install = ['install', '--download-only', '--yes', '--no-install-recommends', name];
	await runProgram('apt-get', ...flags, ...install);
	for (const file of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
		await runProgram('dpkg-deb', '--extract', join(archives, file), target);
	}
}
