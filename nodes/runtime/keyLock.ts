/** The last piece of work for each key. One entry per key that is being worked on in this process. */
const last = new Map<string, Promise<unknown>>();

/**
 * Does the work when all earlier work with one of the same keys is done. Two executions that read something at the same
 * moment would each overwrite what the other one writes.
 * @param keys name what is worked on. All are taken at once, so that no two wait for each other
 */
export async function withKeyLock<T>(
	keys: string | readonly string[],
	work: () => Promise<T>,
): Promise<T> {
	const all = [keys].flat();
	const running = Promise.all(all.map((key) => last.get(key))).then(work);
	const ended = running.catch(() => undefined);
	for (const key of all) last.set(key, ended);
	try {
		return await running;
	} finally {
		for (const key of all) if (last.get(key) === ended) last.delete(key);
	}
}
