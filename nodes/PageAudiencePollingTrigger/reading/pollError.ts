import { RequestFailedError } from '../../api/errors';

/** A poll that cannot do its work. The message says what failed and why, the description what to do next. */
export class PollError extends Error {
	readonly description?: string;

	/** Whether it may end by itself. */
	readonly passes: boolean;

	constructor(message: string, description: string | undefined, passes: boolean) {
		super(message);
		this.description = description;
		this.passes = passes;
	}
}

export function noResponse(): PollError {
	return new PollError(
		'The service did not respond within the time of a poll',
		'The next poll retries.',
		true,
	);
}

/** Whether the next poll may succeed although nobody does anything. */
export function isPassing(error: unknown): boolean {
	if (error instanceof PollError) return error.passes;
	if (!(error instanceof RequestFailedError)) return false;
	const { status } = error.details;
	return status === undefined || status >= 500 || status === 408 || status === 429;
}
