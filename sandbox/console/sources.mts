import type { Recorder } from '../api/recorder.mts';
import type { Deliveries } from '../deliveries/deliveries.mts';
import type { Store } from '../store/store.mts';

/** What the console shows, and the API key that it hides. */
export interface ConsoleSources {
	apiKey: string;
	store: Store;
	recorder: Recorder;
	deliveries: Deliveries;
}
