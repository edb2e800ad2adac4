import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a machine that does much else. */
const patienceMs = 40_000;

/** Waits until there is something, and gives it. */
export async function until<T>(
	what: string,
	look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
	const end = Date.now() + patienceMs;
	for (let times = 1; ; await sleep(Math.min(20 * times++, 250))) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
	}
}
