import Sequencer from '@jest/test-sequencer';
import type { Test } from 'jest-runner';

/** The tests of the triggers wait as the triggers do, and take longest: started last, they keep the others waiting. */
const waiting = /\/(?:trigger|polling)\//;

/** Jest starts the largest files first where it does not know how long they take. */
export default class WaitingFirst extends Sequencer {
	override sort(tests: Test[]): Test[] {
		const sorted = super.sort(tests) as Test[];
		const isWaiting = ({ path }: Test) => waiting.test(path);
		return [...sorted.filter(isWaiting), ...sorted.filter((test) => !isWaiting(test))];
	}
}
