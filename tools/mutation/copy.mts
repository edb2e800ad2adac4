import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { root } from '../root.mts';

/** A change of the code, which is in the copy and switched off. */
export interface Change {
	id: string;
	file: string;
	line: number;
	/** Where in the file's text it begins and ends. */
	from: number;
	to: number;
	/** What stands there, and what stands there with the change. */
	original: string;
	replacement: string;
}

/** Copies the repository as it is now, with every change that Stryker knows in each file of `nodes/`. */
export async function copyWithChanges(folder: string): Promise<Change[]> {
	const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root });
	const files = listed
		.toString()
		.split('\n')
		.filter((file) => file && existsSync(join(root, file)));
	for (const file of files) cpSync(join(root, file), join(folder, file));
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	const sources = files.filter((file) => file.startsWith('nodes/') && file.endsWith('.ts'));
	const { files: changed, mutants } = await makeInstrumenter().instrument(
		sources.map((name) => ({
			name,
			mutate: true,
			content: readFileSync(join(root, name), 'utf8'),
		})),
		{ plugins: null, ignorers: [], excludedMutations: [] },
	);
	for (const { name, content } of changed) writeFileSync(join(folder, name), allowSeveral(content));
	return mutants.map(({ id, fileName: file, location: { start, end }, replacement }) => {
		const text = readFileSync(join(root, file), 'utf8');
		const [from, to] = [start, end].map((position) => offsetOf(text, position));
		return {
			id,
			file,
			line: start.line + 1,
			from,
			to,
			original: text.slice(from, to),
			replacement,
		};
	});
}

/** Stryker switches on one change, and this several at once. */
function allowSeveral(content: string): string {
	return content.replace('ns.activeMutant === id', 'ns.activeMutants?.includes(id)');
}

function makeInstrumenter(): Instrumenter {
	const ignore = () => undefined;
	const no = () => false;
	return new Instrumenter({
		trace: ignore,
		debug: ignore,
		info: ignore,
		warn: ignore,
		error: ignore,
		fatal: ignore,
		isTraceEnabled: no,
		isDebugEnabled: no,
		isInfoEnabled: no,
		isWarnEnabled: no,
		isErrorEnabled: no,
		isFatalEnabled: no,
	});
}

function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
	const before = text.split('\n').slice(0, line);
	return before.reduce((offset, { length }) => offset + length + 1, column);
}
