import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import type { Test } from 'jest-runner';

/** In which part of the run the files of a kind are started. A file is of the first kind that fits. */
const kinds = [
	// The tests of the triggers wait as the triggers do: they take long, and leave their core to others.
	{ pattern: /\/(?:trigger|polling)\//, until: 0.6 },
	// A browser takes a core and more.
	{ pattern: /\/browser\//, until: 1 },
	{ pattern: /$/, until: 1 },
];

/** Spreads the files of each kind evenly, so that the cores are never without work, nor with browsers alone. */
export default class Interleaved extends Sequencer {
	override sort(tests: Test[]): Test[] {
		const sorted = longestFirst(super.sort(tests) as Test[]);
		const kindOf = ({ path }: Test) => kinds.find(({ pattern }) => pattern.test(path));
		return kinds
			.map((kind) => ({ kind, group: sorted.filter((test) => kindOf(test) === kind) }))
			.flatMap(({ kind, group }) =>
				group.map((test, i) => ({ test, at: (kind.until * (i + 0.5)) / group.length })),
			)
			.sort((one, other) => one.at - other.at)
			.map(({ test }) => test);
	}
}

/** Before a file has ever run, Jest goes by its size, and would start last the long tests that a short file imports. */
function longestFirst(sorted: Test[]): Test[] {
	const isKnown = ({ duration }: Test) => typeof duration === 'number';
	const unknown = sorted
		.filter((test) => !isKnown(test))
		.map((test) => ({ test, size: readSize(test.path) }))
		.sort((one, other) => other.size - one.size)
		.map(({ test }) => test);
	return [...unknown, ...sorted.filter(isKnown)];
}

/** In bytes, with what it imports of its own folder. */
function readSize(path: string): number {
	const imports = readFileSync(path, 'utf8').matchAll(/from '(\.\/.+?)'/g);
	const paths = [...imports].map(([, name]) => join(dirname(path), name));
	return [path, ...paths].reduce((sum, each) => sum + statSync(each).size, 0);
}
