import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { atEnd, runToEnd } from './lifetime.mts';
import { findRefused } from './mutation/compile.mts';
import { type Change, copyWithChanges } from './mutation/copy.mts';
import { judge } from './mutation/judge.mts';
import { record } from './mutation/record.mts';
import { root } from './root.mts';
import { CommandError } from './setup/commandError.mjs';
import { makeTemporaryFolder, removeFolder } from './temporary.mts';

const usage = `npm run mutation                            makes 500 random changes in nodes/, and lists those that neither the compiler nor a test notices
npm run mutation -- --count 50 --seed 7     other numbers
npm run mutation -- nodes/api/client.ts     makes all changes of some files or folders
                    --tests unit/api        asks only the tests whose paths contain this`;

const reportPath = join(root, '.cache/mutation/report.md');

await runToEnd(async () => {
	const { files, count, seed, tests } = readOptions();
	const folder = makeTemporaryFolder();
	atEnd(() => removeFolder(folder));
	const all = await copyWithChanges(folder);
	const chosen = choose(
		files.length > 0 ? all.filter(({ file }) => files.some((each) => file.startsWith(each))) : all,
		count,
		seed,
	);
	const refused = findRefused(chosen);
	console.log(
		`${chosen.length} of ${all.length} changes, seed ${seed}; the compiler refuses ${refused.size}`,
	);

	const mutants = chosen.map(({ id }) => id).filter((id) => !refused.has(id));
	const records = await record(folder, mutants, tests);
	const broken = records.filter(({ failed }) => failed !== undefined);
	for (const { file, failed } of broken)
		console.log(`Fails without any change: ${file}: ${failed}`);
	const usable = records.filter(({ failed }) => failed === undefined);
	const noticedBy = await judge(folder, mutants, usable);

	const survivors = chosen.filter(({ id }) => !refused.has(id) && !noticedBy.has(id));
	writeReport(seed, { total: chosen.length, refused: refused.size }, survivors);
	return broken.length > 0 ? 1 : 0;
});

function choose(changes: Change[], count: number, seed: number): Change[] {
	const drawn = changes.map((change) => ({ change, at: draw(`${seed}:${change.id}`) }));
	return drawn
		.sort((a, b) => a.at - b.at)
		.slice(0, count)
		.map(({ change }) => change);
}

/** From 0 up to 1, the same for the same text. */
function draw(text: string): number {
	return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

function writeReport(
	seed: number,
	{ total, refused }: { total: number; refused: number },
	survivors: Change[],
): void {
	const noticed = total - survivors.length;
	const share = ((noticed / total) * 100).toFixed(1);
	const summary = `${noticed} of ${total} changes were noticed (${share} %), ${refused} of them by the compiler, seed ${seed}`;
	const entries = survivors.map(
		({ file, line, original, replacement }) =>
			`- ${file}:${line}\n\n\`\`\`diff\n${prefix('- ', original)}\n${prefix('+ ', replacement)}\n\`\`\`\n`,
	);
	mkdirSync(dirname(reportPath), { recursive: true });
	writeFileSync(reportPath, `${summary}\n\n${entries.join('\n')}`);
	console.log(`\n${entries.join('\n')}\n${summary}\n${reportPath}`);
}

function prefix(mark: string, text: string): string {
	return text.replace(/^/gm, mark);
}

function readOptions(): { files: string[]; count: number; seed: number; tests: string[] } {
	try {
		const { values, positionals: files } = parseArgs({
			options: {
				count: { type: 'string' },
				seed: { type: 'string' },
				tests: { type: 'string', multiple: true },
			},
			allowPositionals: true,
		});
		const count = Number(values.count ?? (files.length > 0 ? Infinity : 500));
		const seed = Number(values.seed ?? Date.now() % 1_000_000);
		if (!(count > 0) || !Number.isInteger(seed)) throw new Error('Count and seed are numbers.');
		return { files, count, seed, tests: values.tests ?? [] };
	} catch (error) {
		throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
