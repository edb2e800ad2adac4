import { RequestFailedError } from './failure';
import { UnexpectedResponseError } from './response';

/** Whether the service may have done the work although the request failed, or was cut off when the execution was cancelled. */
export function leavesDoubt(error: unknown): boolean {
	return (
		(error instanceof Error && error.name === 'AbortError') ||
		error instanceof UnexpectedResponseError ||
		(error instanceof RequestFailedError && error.details.maybeDone)
	);
}
