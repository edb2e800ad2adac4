import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The folder of the PATH, or of the others, that holds all these programs. */
export function findFolderWith(programs: string[], others: string[] = []): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...others];
	return folders.find((folder) => programs.every((program) => isExecutable(join(folder, program))));
}

export function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** The subfolders of a folder that may not exist. */
export function listFolders(path: string): string[] {
	try {
		return readdirSync(path, { withFileTypes: true })
			.filter((entry) => entry.isDirectory())
			.map(({ name }) => join(path, name));
	} catch {
		return [];
	}
}
