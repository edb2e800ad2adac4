/** The last piece of work on each subscription. One entry per subscription that is being worked on in this process. */
const last = new Map<string, Promise<void>>();

/**
 * Does the work when all earlier work on the subscription is done: two triggers that read "free" at the same moment
 * would both take it.
 */
export async function inTurn<T>(subscriptionId: string, work: () => Promise<T>): Promise<T> {
	const before = last.get(subscriptionId) ?? Promise.resolve();
	const running = before.then(work);
	const ended = running.then(
		() => undefined,
		() => undefined,
	);
	last.set(subscriptionId, ended);
	try {
		return await running;
	} finally {
		if (last.get(subscriptionId) === ended) last.delete(subscriptionId);
	}
}
