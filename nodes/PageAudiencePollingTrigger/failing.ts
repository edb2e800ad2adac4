import { ExpressionError, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { toNodeError } from '../errors';
import { toError } from '../parameters/problem';
import type { PollAttempt } from './memory/notices';
import { isPassing } from './reading/pollError';

/**
 * What becomes of a poll that failed.
 * @throws what n8n is told; otherwise the log alone is
 */
export function tellFailure(context: IPollFunctions, attempt: PollAttempt, error: unknown): void {
	if (attempt.fail(error, isPassing(error))) throw toThrown(context, error);
	const what = toError(error).message;
	context.logger.warn(`Page Audience Polling Trigger: ${what}. The next poll retries.`, {
		workflowId: context.getWorkflow().id,
		node: context.getNode().name,
	});
}

function toThrown(context: IPollFunctions, error: unknown): Error {
	// n8n itself describes these best, with the place in the editor.
	if (error instanceof ExpressionError || error instanceof NodeOperationError) return error;
	return toNodeError(context.getNode(), error);
}
