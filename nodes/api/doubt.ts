import { RequestFailedError } from './failure';
import { UnexpectedResponseError } from './response';

/** Whether the service may have done the work although the request failed. */
export function leavesDoubt(error: unknown): boolean {
	return (
		error instanceof UnexpectedResponseError ||
		(error instanceof RequestFailedError && error.details.maybeDone)
	);
}
