import { TestEnvironment } from 'jest-environment-node';
import { getState } from './state.mts';

/** What Stryker's switches in the changed code read and write. */
interface Switches {
	activeMutant?: string;
	hitCount?: number;
	hitLimit?: number;
	currentTestId?: string;
	mutantCoverage: {
		static: Record<string, number>;
		perTest: Record<string, Record<string, number>>;
	};
}

/** What is needed here of the events of jest's runner, whose types are in no package that is installed at the top. */
interface TestEvent {
	name: string;
	test?: TestEntry;
}
interface TestEntry {
	name: string;
	mode?: string | null;
	parent?: TestEntry;
}

/** Switches one change on, runs only the tests that reach it, and records which changes each test reaches. */
export default class MutationEnvironment extends TestEnvironment {
	readonly #switches: Switches = { mutantCoverage: { static: {}, perTest: {} } };

	override async setup(): Promise<void> {
		await super.setup();
		const { mutant, hitLimit } = getState();
		this.#switches.activeMutant = mutant;
		if (hitLimit !== undefined) Object.assign(this.#switches, { hitLimit, hitCount: 0 });
		Object.assign(this.global, { __stryker__: this.#switches });
	}

	handleTestEvent({ name: event, test }: TestEvent): void {
		if (event === 'test_done' || event === 'test_skip') this.#switches.currentTestId = undefined;
		if (event !== 'test_start' || !test) return;
		const name = nameTest(test);
		const { tests } = getState();
		if (tests && !tests.has(name)) test.mode = 'skip';
		this.#switches.currentTestId = name;
	}

	override async teardown(): Promise<void> {
		const { mutantCoverage } = this.#switches;
		getState().coverage = { ...mutantCoverage.perTest, '': mutantCoverage.static };
		await super.teardown();
	}
}

/** With the blocks around it. */
function nameTest({ name, parent }: TestEntry): string {
	return parent ? `${nameTest(parent)} > ${name}` : name;
}
