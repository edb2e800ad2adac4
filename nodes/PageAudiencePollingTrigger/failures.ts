import { describeError } from '../errors';
import type { Failure } from './memory/notices';

/**
 * One error for all that failed in a poll.
 * @param lists how many the poll reads
 */
export function joinFailures(failures: [Failure, ...Failure[]], lists: number): unknown {
	const [{ error }] = failures;
	const message = failures.map(namePage).join('; ');
	const messages = new Set(failures.map((failure) => describeError(failure.error).message));
	// What all lists have in common needs no pages.
	const isOfAll = messages.size === 1 && failures.length >= lists;
	if (isOfAll || messages.has(message)) return error;
	const { description } = describeError(error);
	return Object.assign(new Error(message), { description });
}

function namePage({ list, error }: Failure): string {
	const { message } = describeError(error);
	return list && !message.includes(list.pageId) ? `Page "${list.pageId}": ${message}` : message;
}
