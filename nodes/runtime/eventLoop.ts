import { sleep } from 'n8n-workflow';

/** How long work holds the event loop at a time. */
const holdMs = 20;

/**
 * Keeps long work from holding n8n's event loop. While it is held, nothing else runs: not the editor, and no other
 * workflow.
 */
export class Yielder {
	private endsAt = performance.now() + holdMs;

	/** Await it between two parts of the work. It yields only if the work has held the event loop for long enough. */
	async yieldToEventLoop(): Promise<void> {
		if (performance.now() < this.endsAt) return;
		await sleep(0);
		this.endsAt = performance.now() + holdMs;
	}
}
