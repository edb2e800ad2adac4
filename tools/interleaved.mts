import Sequencer from '@jest/test-sequencer';
import type { Test } from 'jest-runner';

/** The tests of the triggers wait as the triggers do, and leave their core to others. A browser takes a core and more. */
const kinds = [/\/(?:trigger|polling)\//, /\/browser\//];

/** Spreads the files of each kind evenly, so that the cores are never without work, nor with browsers alone. */
export default class Interleaved extends Sequencer {
	override sort(tests: Test[]): Test[] {
		const sorted = super.sort(tests) as Test[];
		const kindOf = ({ path }: Test) => kinds.findIndex((kind) => kind.test(path));
		const groups = [-1, ...kinds.keys()].map((kind) => sorted.filter((t) => kindOf(t) === kind));
		return groups
			.flatMap((group) => group.map((test, i) => ({ test, at: (i + 0.5) / group.length })))
			.sort((one, other) => one.at - other.at)
			.map(({ test }) => test);
	}
}
