import Sequencer from '@jest/test-sequencer';
import type { Test } from 'jest-runner';

/** The tests of the triggers wait as the triggers do, and leave their core to others. */
const waiting = /\/(?:trigger|polling)\//;

/** Starts a file that waits and one that works in turn: neither alone would use the cores. */
export default class Interleaved extends Sequencer {
	override sort(tests: Test[]): Test[] {
		const sorted = super.sort(tests) as Test[];
		const waits = sorted.filter(({ path }) => waiting.test(path));
		const works = sorted.filter(({ path }) => !waiting.test(path));
		const [less, more] = waits.length < works.length ? [waits, works] : [works, waits];
		return [...less.flatMap((test, i) => [test, more[i]]), ...more.slice(less.length)];
	}
}
