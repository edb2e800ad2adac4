/* What is needed here of jest's runner, whose types are in no package that is installed at the top. */

export interface TestEvent {
	name: string;
	test?: TestEntry;
}

export interface TestEntry {
	type: 'test';
	name: string;
	mode?: string | null;
	parent?: DescribeBlock;
	errors: unknown[];
	timeout?: number;
}

export interface DescribeBlock {
	type: 'describeBlock';
	name: string;
	parent?: DescribeBlock;
	children: Array<TestEntry | DescribeBlock>;
}

/** With the blocks around it. */
export function nameTest({ name, parent }: TestEntry | DescribeBlock): string {
	return parent ? `${nameTest(parent)} > ${name}` : name;
}

/** A new test with the same function and hooks. */
export const copyTest = (test: TestEntry, timeout: number): TestEntry => ({
	...test,
	...{ errors: [], retryReasons: [], unhandledRejectionErrorByPromise: new Map() },
	timeout,
});
