import type { Reach } from './jobs.mts';
import type { Recorded } from './record.mts';

/** Passes through a change, in proportion to those without it, that are an endless loop. */
const hitFactor = 100;

/** Where the tests reach a change. */
export interface Reached {
	mutant: string;
	hitLimit: number;
	files: ReachedFile[];
}

export interface ReachedFile {
	file: string;
	ms: number;
	tests: Reach['tests'];
	/** Also before its first test: then the change has to be there when the file loads. */
	isLoaded: boolean;
}

/** The test that noticed a change, by the change. */
export type Noticed = Map<string, string>;

export function findReached(mutant: string, records: Recorded[]): Reached {
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
