/** What a process of jest is to do. */
export type Job =
	/** Run a test file, and record which of the changes each of its tests reaches. */
	| { kind: 'record'; file: string; mutants: string[] }
	/** Switch a change on, and run the tests that reach it, until one fails. */
	| {
			kind: 'judge';
			mutant: string;
			hitLimit: number;
			files: Array<{ file: string; tests?: string[] }>;
	  };

export type JobReport =
	| { kind: 'started'; file: string }
	| {
			kind: 'recorded';
			file: string;
			ms: number;
			/** A test that fails without any change. */
			failed?: string;
			coverage: Record<string, Record<string, number>>;
	  }
	| { kind: 'judged'; mutant: string; noticedBy?: string };
