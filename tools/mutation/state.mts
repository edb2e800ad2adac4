import type { JobReport, Reach } from './jobs.mts';

/** What the environment of the test files shares with the runner that starts them, in one process of jest. */
export interface MutationState {
	report: (report: JobReport) => void;
	/** The test file at hand. */
	file: string;
	/** The changes that are switched on before the file loads. */
	mutants?: string[];
	/** More passes through those changes than this are an endless loop. */
	hitLimit?: number;
	/** The tests to run, by name; all without it. */
	tests?: ReadonlySet<string>;
	/** The changes to switch on one after the other. */
	together?: Reach[];
	/** How often each test passed each change, and how long it took. '' is what is before and after all tests. */
	recorded: Record<string, { counts: Record<string, number>; ms: number }>;
}

/** The environment is loaded by jest, and the runner by Node: they have no module in common. */
const shared = globalThis as unknown as { mutationState?: MutationState };

export function setState(state: Omit<MutationState, 'recorded'>): void {
	shared.mutationState = { ...state, recorded: {} };
}

export function getState(): MutationState {
	if (!shared.mutationState) throw new Error('No job');
	return shared.mutationState;
}
