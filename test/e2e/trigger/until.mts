import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a machine that does much else. */
const patienceMs = 40_000;

/** Waits until there is something, and gives it. `what` may tell how far it came. */
export async function until<T>(
	what: string | (() => string),
	look: () => Promise<T | undefined | false> | T | undefined | false,
	withinMs = patienceMs,
): Promise<T> {
	const end = Date.now() + withinMs;
	for (let times = 1; ; await sleep(Math.min(20 * times++, 250))) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > end) {
			const wanted = typeof what === 'string' ? what : what();
			throw new Error(`Waited in vain for ${wanted}`);
		}
	}
}
