/** What a process of jest is to do. */
export type Job =
	/** Run a test file, and record which of the changes each of its tests reaches. */
	| { kind: 'record'; file: string; mutants: string[] }
	/** Load a test file once. Then switch one change after the other on, each for the tests that reach it. */
	| { kind: 'together'; file: string; changes: Reach[] }
	/** Switch changes on before the files load, and run the tests that reach them until one fails. */
	| { kind: 'loaded'; mutants: string[]; hitLimit: number; files: LoadedFile[] };

/** A change that is switched on while a test runs, and the tests that reach it. */
export interface Reach {
	mutant: string;
	hitLimit: number;
	tests: Array<{ name: string; ms: number }>;
}

/** `tests` is undefined where the file reaches the changes before its first test. */
export interface LoadedFile {
	file: string;
	tests?: string[];
	ms: number;
}

export type JobReport =
	/** Without another report within that time, it is an endless loop. */
	| { kind: 'started'; mutant?: string; patienceMs: number }
	| {
			kind: 'recorded';
			file: string;
			ms: number;
			/** A test that fails without any change. */
			failed?: string;
			/** How often each test passes each change, and how long it takes. */
			tests: Record<string, { counts: Record<string, number>; ms: number }>;
	  }
	| { kind: 'noticed'; mutants: string[]; by: string; file: string }
	/** After the change, its test fails without it too: the others in this file have to begin anew. */
	| { kind: 'dirty'; mutant: string }
	| { kind: 'done' };
