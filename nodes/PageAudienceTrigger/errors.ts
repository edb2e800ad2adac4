import { ExpressionError, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { RequestFailure } from '../api/failure';
import { redactText } from './redact';
import type { TriggerContext } from './settings';

/**
 * Stops a hook with an error for people. The service's own words may repeat the registered URL, so that the secrets
 * in it are taken out.
 * @throws NodeApiError or NodeOperationError
 */
export function stop(context: TriggerContext, error: unknown): never {
	// n8n itself tells these best, with the place in the editor.
	if (error instanceof ExpressionError || error instanceof NodeOperationError) throw error;
	const { message, description } = tell(error);
	if (!(error instanceof RequestFailure)) {
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	const { details } = error;
	const stopped = new NodeApiError(
		context.getNode(),
		{ message },
		{
			message,
			description,
			httpCode: details.status === undefined ? undefined : String(details.status),
		},
	);
	stopped.context.data = details;
	throw stopped;
}

/** One line for the log. */
export function describeError(error: unknown): string {
	return tell(error).message;
}

function tell(error: unknown): { message: string; description?: string } {
	const message =
		error instanceof RequestFailure && error.details.status === 404
			? 'The service has no such webhook subscription (404)'
			: error instanceof DOMException && error.name === 'TimeoutError'
				? 'The service was too busy to answer in time'
				: error instanceof Error
					? error.message
					: String(error);
	const description =
		error instanceof Error && 'description' in error && typeof error.description === 'string'
			? redactText(error.description)
			: undefined;
	return { message: redactText(message), description };
}
