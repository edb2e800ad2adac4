import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a machine that does much else. */
const patienceMs = 40_000;

/** Waits until there is something, and gives it. */
export async function until<T>(
	what: string,
	look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
	for (const end = Date.now() + patienceMs; ; await sleep(50)) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
	}
}
