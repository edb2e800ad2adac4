/** What the environment of the test files shares with the runner that starts them, in one process of jest. */
export interface MutationState {
	/** The change that is switched on; undefined while coverage is recorded. */
	mutant?: string;
	/** More passes through the change than this are an endless loop. */
	hitLimit?: number;
	/** The tests to run, by name; all without it. */
	tests?: ReadonlySet<string>;
	/** How often each change was passed, by the name of the test, and by '' before and after all tests. */
	coverage: Record<string, Record<string, number>>;
}

/** The environment is loaded by jest, and the runner by Node: they have no module in common. */
const shared = globalThis as unknown as { mutationState?: MutationState };

export function setState(state: MutationState): void {
	shared.mutationState = state;
}

export function getState(): MutationState {
	return (shared.mutationState ??= { coverage: {} });
}
