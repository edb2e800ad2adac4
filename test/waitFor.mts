import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a machine that does much else. */
const patienceMs = 40_000;

const longestPauseMs = 250;

/** Waits until there is something, and gives it. `what` may tell how far it came. The pauses between two looks double. */
export async function waitFor<T>(
	what: string | (() => string),
	look: () => Promise<T | undefined | false> | T | undefined | false,
	withinMs = patienceMs,
): Promise<T> {
	const end = Date.now() + withinMs;
	for (let pauseMs = 5; ; pauseMs *= 2) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > end) {
			const wanted = typeof what === 'string' ? what : what();
			throw new Error(`Waited in vain for ${wanted}`);
		}
		await sleep(Math.min(pauseMs, longestPauseMs));
	}
}
