import { sleep } from 'n8n-workflow';
import { DescribedError } from '../api/errors';

/** When a poll ends, even if a request is under way. */
export interface Deadline {
	budgetMs: number;
	/** Milliseconds of performance.now(). */
	endsAt: number;
	/** Ends waits and unsent requests. */
	signal: AbortSignal;
}

/** Does the work of a poll, which can see how much time it has. */
export async function within<T>(
	budgetMs: number,
	work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
	const endsAt = performance.now() + budgetMs;
	const end = new AbortController();
	const timer = new AbortController();
	const what = 'The service took longer to respond than a poll may take';
	sleep(budgetMs, timer.signal).then(
		() => end.abort(new DescribedError(what, 'The next poll, or another test, tries again.')),
		() => undefined,
	);
	return await work({ budgetMs, endsAt, signal: end.signal }).finally(() => timer.abort());
}
