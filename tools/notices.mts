import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mts';
import { CommandError } from './setup/program.mjs';

type Metafile = { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> };
type Manifest = { name: string; version: string; license: string };

export const noticesFile = 'dist/THIRD-PARTY-NOTICES.txt';

const head =
	'This package contains the following software of others, each under its own license.\n';

/** Writes the licenses of what the bundles contain, which esbuild lists in its metafile. */
export function writeNotices(): void {
	const path = join(root, 'dist/metafile-cjs.json');
	const { outputs } = JSON.parse(readFileSync(path, 'utf8')) as Metafile;
	rmSync(path);
	const bundled = Object.values(outputs).flatMap(({ inputs }) =>
		Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0),
	);
	// The innermost package that a file lies in.
	const folders = bundled.flatMap(
		(file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
	);
	const notices = [...new Set(folders)].sort().map(describePackage);
	writeFileSync(join(root, noticesFile), [head, ...notices].join(`\n${'─'.repeat(80)}\n\n`));
}

function describePackage(folder: string): string {
	const read = (file: string) => readFileSync(join(root, folder, file), 'utf8');
	const { name, version, license } = JSON.parse(read('package.json')) as Manifest;
	const file = readdirSync(join(root, folder)).find((each) => /^(licen[cs]e|copying)/i.test(each));
	if (!file) throw new CommandError(`${folder} has no license to ship: bundle another package`);
	return `${name} ${version} (${license})\n\n${read(file).trim()}\n`;
}
