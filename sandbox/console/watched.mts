import type { Deliveries } from '../deliveries.mts';
import type { Recorder } from '../recording.mts';
import type { Store } from '../store.mts';

/** What the console looks at, and the key that it must not show. */
export interface Watched {
	apiKey: string;
	store: Store;
	recorder: Recorder;
	deliveries: Deliveries;
}
