declare module '@stryker-mutator/core' {
	export class Stryker {
		constructor(options: object);
		runMutationTest(): Promise<unknown>;
	}
}
declare module 'jest-runner' {
	export interface Test {
		path: string;
	}
	interface Result {
		testResults: Array<{ status: string; fullName: string }>;
		testExecError?: unknown;
		perfStats: { runtime: number };
	}
	export default class TestRunner {
		_globalConfig: { testNamePattern?: string };
		on(event: 'test-file-failure', listener: () => void): void;
		on(event: 'test-file-success', listener: (result: [Test, Result]) => void): void;
		runTests(tests: Test[], watcher: unknown, options: object): Promise<void>;
	}
}
