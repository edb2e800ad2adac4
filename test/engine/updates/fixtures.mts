import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../fixtures');

/** All fixtures of a subject, of every version, as `[version/name, content]`. */
export function readFixtures<T>(subject: string): Array<[name: string, fixture: T]> {
	return readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.flatMap(({ name: version }) =>
			listFiles(join(folder, version, subject)).map((file): [string, T] => [
				`${version}/${file.replace(/\.json$/, '')}`,
				JSON.parse(readFileSync(join(folder, version, subject, file), 'utf8')) as T,
			]),
		);
}

function listFiles(path: string): string[] {
	try {
		return readdirSync(path).filter((name) => name.endsWith('.json'));
	} catch {
		// Not every version left something of every subject.
		return [];
	}
}
