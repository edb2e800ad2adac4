import type { IPollFunctions } from 'n8n-workflow';
import { toThrown } from '../errors';
import type { Notices, PollAttempt } from './memory/notices';
import { isPassing } from './reading/pollError';

/**
 * What becomes of a poll that failed.
 * @throws what n8n is told; otherwise the log alone is
 */
export function tellFailure(
	context: IPollFunctions,
	notices: Notices,
	attempt: PollAttempt,
	error: unknown,
): void {
	if (notices.fail(attempt, error, isPassing(error))) throw toThrown(context.getNode(), error);
	const what = error instanceof Error ? error.message : String(error);
	context.logger.warn(`Page Audience Polling Trigger: ${what}. The next poll retries.`, {
		workflowId: context.getWorkflow().id,
		node: context.getNode().name,
	});
}
