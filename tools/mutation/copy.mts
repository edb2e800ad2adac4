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
	return mutants.map(({ id, fileName, location, replacement }) => ({
		id,
		file: fileName,
		line: location.start.line + 1,
		original: cut(readFileSync(join(root, fileName), 'utf8'), location),
		replacement,
	}));
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

interface Location {
	start: { line: number; column: number };
	end: { line: number; column: number };
}

function cut(text: string, { start, end }: Location): string {
	const lines = text.split('\n').slice(start.line, end.line + 1);
	const last = lines.length - 1;
	return lines
		.map((line, index) =>
			line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined),
		)
		.join('\n');
}
