import type { Job, Reach } from './jobs.mts';
import { judgeLoaded } from './loaded.mts';
import { runOnAllCores, takeShare } from './process.mts';
import { findReached, type Noticed, type Reached, type ReachedFile } from './reached.mts';
import type { Recorded } from './record.mts';

/** In one process of jest. */
const mostFiles = 6;
/** With one loading of a test file. */
const mostTogether = 300;

/** Switches each change on for the tests that reach it, until one fails. */
export async function judge(
	folder: string,
	mutants: string[],
	records: Recorded[],
): Promise<Noticed> {
	const noticed: Noticed = new Map();
	const reached = mutants.map((mutant) => findReached(mutant, records));
	const select = (isWanted: (change: Reached, file: ReachedFile) => boolean): Reached[] =>
		reached
			.filter(({ mutant }) => !noticed.has(mutant))
			.map((change) => ({
				...change,
				files: change.files.filter((file) => isWanted(change, file)),
			}))
			.filter(({ files }) => files.length > 0);
	const dynamic = select((_, { isLoaded }) => !isLoaded);
	const unclear = await judgeTogether(folder, dynamic, noticed);
	const loaded = select(({ mutant }, { isLoaded }) => isLoaded || unclear.has(mutant));
	await judgeLoaded(folder, loaded, noticed);
	return noticed;
}

/**
 * Each test file loads once for many changes.
 * @returns the changes that left something behind, or never ended
 */
async function judgeTogether(
	folder: string,
	changes: Reached[],
	noticed: Noticed,
): Promise<Set<string>> {
	const unclear = new Set<string>();
	const isOpen = ({ mutant }: Reach): boolean => !noticed.has(mutant) && !unclear.has(mutant);
	const withoutKnown = (job: Job): Job[] => {
		if (job.kind !== 'together') return [];
		const open = job.changes.filter(isOpen);
		return open.length > 0 ? [{ ...job, changes: open }] : [];
	};
	let left = planTogether(changes);
	await runOnAllCores(folder, {
		take: () => {
			left = left.flatMap(withoutKnown);
			return takeShare(left, mostFiles);
		},
		onReport: (report, job) => {
			if (report.kind === 'noticed')
				for (const mutant of report.mutants) noticed.set(mutant, `${report.file}: ${report.by}`);
			if (report.kind === 'dirty') {
				unclear.add(report.mutant);
				left.unshift(job);
			}
			if (report.kind === 'done')
				console.log(`together: ${noticed.size} noticed, ${left.length} times a file to go`);
		},
		onEnd: (job, mutant) => {
			if (mutant === undefined) return [];
			unclear.add(mutant);
			return withoutKnown(job);
		},
	});
	return unclear;
}

/** The fastest files come first. */
function planTogether(changes: Reached[]): Job[] {
	const byFile = new Map<string, { ms: number; reaches: Reach[] }>();
	for (const { mutant, hitLimit, files } of changes) {
		for (const { file, ms, tests } of files) {
			const entry = byFile.get(file) ?? { ms, reaches: [] };
			byFile.set(file, entry);
			entry.reaches.push({ mutant, hitLimit, tests });
		}
	}
	return [...byFile]
		.sort(([, a], [, b]) => a.ms - b.ms)
		.flatMap(([file, { reaches }]) =>
			Array.from({ length: Math.ceil(reaches.length / mostTogether) }, (_, i): Job => {
				const some = reaches.slice(i * mostTogether, (i + 1) * mostTogether);
				return { kind: 'together', file, changes: some };
			}),
		);
}
