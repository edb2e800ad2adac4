/** The last piece of work for each key. One entry per key that is being worked on in this process. */
const last = new Map<string, Promise<void>>();

/**
 * Does the work when all earlier work with the same key is done. Two executions that read something at the same moment
 * would each overwrite what the other one writes.
 * @param key names what is worked on
 */
export async function withKeyLock<T>(key: string, work: () => Promise<T>): Promise<T> {
	const before = last.get(key) ?? Promise.resolve();
	const running = before.then(work);
	const ended = running.then(
		() => undefined,
		() => undefined,
	);
	last.set(key, ended);
	try {
		return await running;
	} finally {
		if (last.get(key) === ended) last.delete(key);
	}
}
