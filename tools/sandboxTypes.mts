import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPackage } from './command.mts';
import { root } from './root.mts';

const [yaml, types] = ['sandbox/openapi.yaml', 'sandbox/openapi.d.mts'];
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const headFor = (text: string): string => `// ${hash('sha256', read(yaml) + text)}\n`;

/** Whether the types are from this document, as they were generated. Their first line has the hash of both. */
export function areTypesCurrent(): boolean {
	const text = read(types);
	return text.startsWith(headFor(text.slice(text.indexOf('\n') + 1)));
}

/** Generates the types unless they are current. Returns whether that succeeded. */
export async function writeSandboxTypes(): Promise<boolean> {
	if (areTypesCurrent()) return true;
	const program = 'openapi-typescript/bin/cli.js';
	const options = [yaml, '-o', types, '--root-types', '--root-types-no-schema-prefix'];
	if (!(await runPackage('openapi-typescript@7.13.0', program, ...options))) return false;
	writeFileSync(join(root, types), headFor(read(types)) + read(types));
	return true;
}
