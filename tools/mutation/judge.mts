import type { Job, JobReport, Reach } from './jobs.mts';
import { runOnAllCores } from './process.mts';
import type { Recorded } from './record.mts';

/** Passes through a change, in proportion to those without it, that are an endless loop. */
const hitFactor = 100;
/** In one process of jest. */
const filesAtOnce = 6;
const changesAtOnce = 8;
/** With one loading of a test file. */
const mostTogether = 60;

/** Where the tests reach a change. */
interface Reached {
	mutant: string;
	hitLimit: number;
	files: ReachedFile[];
}
interface ReachedFile {
	file: string;
	ms: number;
	tests: Reach['tests'];
	/** Also before its first test: then the change has to be there when the file loads. */
	isLoaded: boolean;
}

/**
 * Switches each change on for the tests that reach it, until one fails.
 * @returns the test that noticed it, by change
 */
export async function judge(
	folder: string,
	mutants: string[],
	records: Recorded[],
): Promise<Map<string, string>> {
	const noticed = new Map<string, string>();
	const reached = mutants
		.map((mutant) => findReached(mutant, records))
		.filter(({ files }) => files.length > 0);
	const isLoaded = ({ files }: Reached): boolean => files.some((each) => each.isLoaded);
	const dynamic = reached.filter((each) => !isLoaded(each));
	const unclear = await judgeTogether(folder, dynamic, noticed);
	const alone = reached.filter((each) => isLoaded(each) || unclear.has(each.mutant));
	await judgeAlone(folder, alone, noticed);
	return noticed;
}

/**
 * Each test file loads once for many changes.
 * @returns the changes that left something behind, or never ended
 */
async function judgeTogether(
	folder: string,
	changes: Reached[],
	noticed: Map<string, string>,
): Promise<Set<string>> {
	const unclear = new Set<string>();
	const isOpen = ({ mutant }: Reach): boolean => !noticed.has(mutant) && !unclear.has(mutant);
	const withoutKnown = (job: Job): Job[] => {
		if (job.kind !== 'together') return [];
		const open = job.changes.filter(isOpen);
		return open.length > 0 ? [{ ...job, changes: open }] : [];
	};
	const left = planTogether(changes);
	await runOnAllCores(folder, {
		take: () => {
			const batch: Job[] = [];
			while (batch.length < filesAtOnce && left.length > 0)
				batch.push(...left.splice(0, 1).flatMap(withoutKnown));
			return batch;
		},
		onReport: (report, job) => {
			noteNoticed(report, noticed);
			if (report.kind === 'dirty') {
				unclear.add(report.mutant);
				left.unshift(...withoutKnown(job));
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

async function judgeAlone(
	folder: string,
	changes: Reached[],
	noticed: Map<string, string>,
): Promise<void> {
	const merits = new Merits();
	const left = [...changes];
	let judged = 0;
	await runOnAllCores(folder, {
		take: () =>
			left.splice(0, changesAtOnce).map(
				({ mutant, hitLimit, files }): Job => ({
					kind: 'alone',
					mutant,
					hitLimit,
					files: merits.sort(files).map(({ file, ms, tests, isLoaded }) => ({
						file,
						ms,
						...(isLoaded ? {} : { tests: tests.map(({ name }) => name) }),
					})),
				}),
			),
		onReport: (report, job) => {
			noteNoticed(report, noticed);
			if (job.kind !== 'alone') return;
			if (report.kind === 'noticed') merits.note(job.files, report.file);
			if (report.kind !== 'done') return;
			const by = noticed.get(job.mutant) ?? 'not noticed';
			console.log(`alone: ${++judged} of ${changes.length}, ${by}`);
		},
		onEnd: (job) => {
			if (job.kind === 'alone') noticed.set(job.mutant, 'an endless loop');
			judged++;
			return [];
		},
	});
}

function noteNoticed(report: JobReport, noticed: Map<string, string>): void {
	if (report.kind === 'noticed') noticed.set(report.mutant, `${report.file}: ${report.by}`);
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

function findReached(mutant: string, records: Recorded[]): Reached {
	let most = 0;
	const files = records.flatMap(({ file, ms, tests: recorded }) => {
		const hits = Object.entries(recorded).filter(([, { counts }]) => counts[mutant]);
		if (hits.length === 0) return [];
		const passes = hits.reduce((sum, [, { counts }]) => sum + counts[mutant], 0);
		most = Math.max(most, passes);
		const tests = hits
			.flatMap(([name, { ms: each }]) => (name === '' ? [] : [{ name, ms: each }]))
			.sort((a, b) => a.ms - b.ms);
		return [{ file, ms, tests, isLoaded: tests.length < hits.length }];
	});
	return { mutant, hitLimit: most * hitFactor, files };
}
