import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../fixtures');

/** All fixtures of a subject, of every version, as `[version/name, content]`. */
export function readFixtures<T>(subject: string): Array<[name: string, fixture: T]> {
	return globSync(`*/${subject}/*.json`, { cwd: folder }).map((path): [string, T] => [
		path.replace(`/${subject}/`, '/').replace(/\.json$/, ''),
		JSON.parse(readFileSync(join(folder, path), 'utf8')) as T,
	]);
}
