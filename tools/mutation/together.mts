import { copyTest, nameTest, type DescribeBlock, type TestEntry } from './circus.mts';
import type { Switches } from './environment.mts';
import type { Reach } from './jobs.mts';
import { getState } from './state.mts';

/** What a test may take with a change, beside ten times what it takes without. */
const patienceMs = 5_000;

/** One run of a test: with a change, or after that without it if it failed. */
interface Part extends Pick<Reach, 'mutant' | 'hitLimit'> {
	name: string;
	/** A change may leave something behind in the file's modules. So a failure counts only if this one passes. */
	check: TestEntry;
	timeoutMs: number;
}

/** Runs the tests of one file many times, each time with another change. */
export class Together {
	readonly #switches: Switches;
	readonly #parts = new Map<TestEntry, Part>();
	/** The runs without the change that are to be made. */
	readonly #checks = new Map<TestEntry, Part>();
	readonly #noticed = new Set<string>();
	#isDirty = false;

	constructor(root: DescribeBlock, changes: Reach[], switches: Switches) {
		this.#switches = switches;
		this.#multiply(root, changes);
	}

	start(test: TestEntry): void {
		const part = this.#parts.get(test);
		const isWanted = part
			? !this.#isDirty && !this.#noticed.has(part.mutant)
			: this.#checks.has(test);
		if (!isWanted) {
			test.mode = 'skip';
			return;
		}
		if (!part) return;
		const { mutant, hitLimit, timeoutMs } = part;
		getState().report({ kind: 'started', mutant, patienceMs: 3 * timeoutMs + 20_000 });
		Object.assign(this.#switches, { activeMutants: [mutant], hitLimit, hitCount: 0 });
	}

	end(test: TestEntry): void {
		const { report, file } = getState();
		this.#switches.activeMutants = undefined;
		const isFailed = test.errors.length > 0;
		const part = this.#parts.get(test);
		if (part && isFailed) this.#checks.set(part.check, part);
		const checked = this.#checks.get(test);
		if (!checked) return;
		const { mutant, name } = checked;
		this.#isDirty = isFailed;
		this.#noticed.add(mutant);
		report(
			isFailed ? { kind: 'dirty', mutant } : { kind: 'noticed', mutants: [mutant], by: name, file },
		);
	}

	#multiply(block: DescribeBlock, changes: Reach[]): void {
		const tests = new Map<string, TestEntry>();
		const blocks: DescribeBlock[] = [];
		for (const child of block.children) {
			if (child.type === 'describeBlock') blocks.push(child);
			else if (child.mode !== 'skip' && child.mode !== 'todo') tests.set(nameTest(child), child);
		}
		const runs = changes.flatMap(({ mutant, hitLimit, tests: reaching }) =>
			reaching.flatMap(({ name, ms }) => {
				const test = tests.get(name);
				if (!test) return [];
				const timeoutMs = patienceMs + 10 * ms;
				const run = copyTest(test, timeoutMs);
				const check = copyTest(test, timeoutMs);
				this.#parts.set(run, { mutant, hitLimit, name, check, timeoutMs });
				return [run, check];
			}),
		);
		for (const each of blocks) this.#multiply(each, changes);
		block.children = [...runs, ...blocks];
	}
}
