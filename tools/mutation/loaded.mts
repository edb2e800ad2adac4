import type { Job, LoadedFile } from './jobs.mts';
import { runOnAllCores, takeShare } from './process.mts';
import type { Noticed, Reached, ReachedFile } from './reached.mts';

/** In one process of jest. */
const mostJobs = 8;
/** What the files take that a change has for itself. */
const aloneMs = 20_000;

/** A test file, and the changes that are to be noticed by it. */
interface Round {
	file: ReachedFile;
	changes: Reached[];
}

/**
 * Judges changes that have to be there when the files load. Most of them are noticed by the first files. All others
 * share the rest of the files: where a test fails with all of them, it fails with half of them.
 */
export async function judgeLoaded(
	folder: string,
	changes: Reached[],
	noticed: Noticed,
): Promise<void> {
	const doubtful = await judgeAlone(folder, changes, noticed);
	await judgeInGroups(folder, doubtful, noticed);
}

/** @returns the changes that no test has noticed, with the files that are left */
async function judgeAlone(
	folder: string,
	changes: Reached[],
	noticed: Noticed,
): Promise<Reached[]> {
	const merits = new Merits();
	const left = [...changes];
	const doubtful: Reached[] = [];
	let judged = 0;
	const next = (change: Reached): Job => {
		const sorted = merits.sort(change.files);
		let ms = 0;
		const count = sorted.findIndex((file) => (ms += file.ms) > aloneMs) + 1 || sorted.length;
		doubtful.push({ ...change, files: sorted.slice(count) });
		return describe(sorted.slice(0, count), [change]);
	};
	await runOnAllCores(folder, {
		take: () => takeShare(left, mostJobs).map(next),
		onReport: (report, job) => {
			if (job.kind !== 'loaded') return;
			if (report.kind === 'noticed') {
				noticed.set(job.mutants[0], `${report.file}: ${report.by}`);
				merits.note(job.files, report.file);
			}
			if (report.kind !== 'done') return;
			const by = noticed.get(job.mutants[0]) ?? 'not noticed by the first files';
			console.log(`alone: ${++judged} of ${changes.length}, ${by}`);
		},
		onEnd: (job) => {
			if (job.kind === 'loaded') noticed.set(job.mutants[0], 'an endless loop');
			judged++;
			return [];
		},
	});
	return doubtful.filter(({ mutant }) => !noticed.has(mutant));
}

async function judgeInGroups(folder: string, changes: Reached[], noticed: Noticed): Promise<void> {
	const isOpen = ({ mutant }: Reached): boolean => !noticed.has(mutant);
	let left = planRounds(changes);
	const rounds = new Map<Job, Round>();
	const next = (round: Round): Job => {
		const job = describe([round.file], round.changes);
		rounds.set(job, round);
		return job;
	};
	const note = (job: Job, by: string): void => {
		const round = rounds.get(job);
		if (!round) return;
		const { file, changes: all } = round;
		const middle = Math.ceil(all.length / 2);
		if (all.length === 1) noticed.set(all[0].mutant, by);
		else
			for (const half of [all.slice(0, middle), all.slice(middle)])
				left.unshift({ file, changes: half });
	};
	await runOnAllCores(folder, {
		take: () => {
			left = left.flatMap(({ file, changes: all }) => {
				const open = all.filter(isOpen);
				return open.length > 0 ? [{ file, changes: open }] : [];
			});
			return takeShare(left, mostJobs).map(next);
		},
		onReport: (report, job) => {
			if (report.kind === 'noticed') note(job, `${report.file}: ${report.by}`);
			if (report.kind !== 'done') return;
			const open = changes.filter(isOpen).length;
			console.log(
				`in groups: ${open} of ${changes.length} not noticed, ${left.length} files to go`,
			);
		},
		onEnd: (job) => {
			note(job, 'an endless loop');
			return [];
		},
	});
}

/** The fastest files come first. */
function planRounds(changes: Reached[]): Round[] {
	const byFile = new Map<string, Round>();
	for (const change of changes) {
		for (const file of change.files) {
			const round = byFile.get(file.file) ?? { file, changes: [] };
			byFile.set(file.file, round);
			round.changes.push(change);
		}
	}
	return [...byFile.values()].sort((a, b) => a.file.ms - b.file.ms);
}

/** The changes are switched on at the same time. */
function describe(files: ReachedFile[], changes: Reached[]): Job {
	const reachedBy = ({ file, ms }: ReachedFile): LoadedFile => {
		const all = changes.flatMap((change) => change.files.filter((each) => each.file === file));
		if (all.some(({ isLoaded }) => isLoaded)) return { file, ms };
		return { file, ms, tests: all.flatMap(({ tests }) => tests.map(({ name }) => name)) };
	};
	return {
		kind: 'loaded',
		mutants: changes.map(({ mutant }) => mutant),
		hitLimit: Math.max(...changes.map(({ hitLimit }) => hitLimit)),
		files: files.map(reachedBy),
	};
}

/** Which test files notice what others do not. */
class Merits {
	readonly #files = new Map<string, { asked: number; noticed: number }>();

	/** First the file that most likely notices a change in the least time. */
	sort(files: ReachedFile[]): ReachedFile[] {
		const price = ({ file, ms }: ReachedFile): number => {
			const { asked, noticed } = this.#of(file);
			return (ms * (asked + 2)) / (noticed + 1);
		};
		return files.toSorted((a, b) => price(a) - price(b));
	}

	/** All files before the one that noticed a change did not. */
	note(asked: ReadonlyArray<{ file: string }>, noticedBy: string): void {
		for (const { file } of asked) {
			this.#of(file).asked++;
			if (file !== noticedBy) continue;
			this.#of(file).noticed++;
			return;
		}
	}

	#of(file: string): { asked: number; noticed: number } {
		const merit = this.#files.get(file) ?? { asked: 0, noticed: 0 };
		this.#files.set(file, merit);
		return merit;
	}
}
