import { describeError } from '../errors';
import type { Failure } from './memory/notices';
import { PollError } from './reading/pollError';

/**
 * One error for all that failed in a poll.
 * @param lists how many the poll reads
 */
export function joinFailures(failures: [Failure, ...Failure[]], lists: number): unknown {
	const [{ error }] = failures;
	const named = failures.map(namePage);
	const messages = new Set(failures.map((failure) => describeError(failure.error).message));
	// What all lists have in common needs no pages.
	const isOfAll = messages.size === 1 && failures.length >= lists;
	if (isOfAll || (named.length === 1 && named.every((each) => messages.has(each)))) return error;
	const passes = failures.every((failure) => failure.passes);
	return new PollError(named.join('; '), describeError(error).description, passes);
}

function namePage({ list, error }: Failure): string {
	const { message } = describeError(error);
	return list && !message.includes(list.pageId) ? `Page "${list.pageId}": ${message}` : message;
}
