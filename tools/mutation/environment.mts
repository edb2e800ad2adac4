import { TestEnvironment } from 'jest-environment-node';
import { nameTest, type DescribeBlock, type TestEntry, type TestEvent } from './circus.mts';
import { getState } from './state.mts';
import { Together } from './together.mts';

/** Kept, because some tests replace it. */
const now = performance.now.bind(performance);

/** What Stryker's switches in the changed code read and write. */
export interface Switches {
	activeMutants?: string[];
	hitCount?: number;
	hitLimit?: number;
	currentTestId?: string;
	mutantCoverage: {
		static: Record<string, number>;
		perTest: Record<string, Record<string, number>>;
	};
}

/** Switches changes on, runs only the tests that reach them, and records which changes each test reaches. */
export default class MutationEnvironment extends TestEnvironment {
	readonly #switches: Switches = { mutantCoverage: { static: {}, perTest: {} } };
	readonly #ms: Record<string, number> = {};
	#startedAt = 0;
	#hasFailed = false;
	#together?: Together;

	override async setup(): Promise<void> {
		await super.setup();
		const { mutants, hitLimit } = getState();
		this.#switches.activeMutants = mutants;
		if (hitLimit !== undefined) Object.assign(this.#switches, { hitLimit, hitCount: 0 });
		Object.assign(this.global, { __stryker__: this.#switches });
	}

	handleTestEvent(
		{ name: event, test }: TestEvent,
		{ rootDescribeBlock }: { rootDescribeBlock: DescribeBlock },
	): void {
		const { together } = getState();
		if (event === 'run_start' && together)
			this.#together = new Together(rootDescribeBlock, together, this.#switches);
		if (!test) return;
		if (event === 'test_start') this.#start(test);
		if (event === 'test_done') this.#end(test);
		if (event === 'test_done' || event === 'test_skip') this.#switches.currentTestId = undefined;
	}

	override async teardown(): Promise<void> {
		const { perTest, static: loaded } = this.#switches.mutantCoverage;
		const { recorded } = getState();
		recorded[''] = { counts: loaded, ms: 0 };
		for (const [name, counts] of Object.entries(perTest))
			recorded[name] = { counts, ms: this.#ms[name] ?? 0 };
		await super.teardown();
	}

	#start(test: TestEntry): void {
		if (this.#together) return this.#together.start(test);
		const name = nameTest(test);
		const { tests, mutants } = getState();
		// One test that fails is enough.
		const isDone = mutants !== undefined && this.#hasFailed;
		if (isDone || (tests && !tests.has(name))) test.mode = 'skip';
		this.#switches.currentTestId = name;
		this.#startedAt = now();
	}

	#end(test: TestEntry): void {
		if (this.#together) return this.#together.end(test);
		this.#ms[nameTest(test)] = now() - this.#startedAt;
		this.#hasFailed ||= test.errors.length > 0;
	}
}
