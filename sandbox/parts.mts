import type { Deliveries } from './deliveries.mts';
import type { Faults } from './faults.mts';
import type { Guesses } from './guesses.mts';
import type { Recorder } from './recorder.mts';
import type { Store } from './store/store.mts';

/** What one sandbox consists of. */
export interface SandboxParts {
	apiKey: string;
	store: Store;
	guesses: Guesses;
	faults: Faults;
	recorder: Recorder;
	deliveries: Deliveries;
	settings: { latencyMs: number };
	validateResponses: boolean;
	reset: () => void;
}
