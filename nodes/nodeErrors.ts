import {
	ExpressionError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IPollFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { declareFailure } from './api/causes';
import { readApiKey } from './api/connection';
import { DescribedError, RequestFailedError } from './api/errors';
import { hideSecret, redact } from './api/redact';
import { describeProblem, ItemRefusedError } from './parameters/problem';
import { toError } from './runtime/unknown';

/** What went wrong, in words for the person who reads it. */
interface ErrorDescription {
	/** What failed, and why. */
	message: string;
	/** What to do next. */
	description?: string;
	/** For workflows that branch on it. */
	details: IDataObject;
}

interface FailedItem {
	item: number;
	/** The number of input items. As in n8n, only one of several is named. */
	total: number;
}

/**
 * @param failed the message names it
 * @param retry who retries what may be over by itself
 */
export function describeError(
	error: unknown,
	failed?: FailedItem,
	retry?: string,
): ErrorDescription {
	const message = listMessages(error).join('; ');
	const own: unknown = Reflect.get(toError(error), 'description');
	const ownDescription = typeof own === 'string' ? own : undefined;
	return {
		message: failed && failed.total > 1 ? `${message} [item ${failed.item}]` : message,
		description: error instanceof DescribedError ? error.advise(retry) : ownDescription,
		details: {
			...(error instanceof DescribedError && error.details),
			...(failed && { itemIndex: failed.item }),
		},
	};
}

/** One message for each parameter that was refused, else the error's own. */
export function listMessages(error: unknown): string[] {
	if (error instanceof ItemRefusedError) return error.problems.map(describeProblem);
	const { message } = toError(error);
	// n8n ends some of its messages with a full stop.
	return [error instanceof DescribedError ? message : message.replace(/(?<!\.)\.$/, '')];
}

/**
 * n8n's error for what went wrong: NodeApiError for a failed request, so that its status shows, else NodeOperationError.
 * @param described in place of the error's own words
 */
export function toNodeError(
	node: INode,
	error: unknown,
	described: ErrorDescription = describeError(error),
): NodeApiError | NodeOperationError {
	const { message, description, details } = described;
	const itemIndex = typeof details.itemIndex === 'number' ? details.itemIndex : undefined;
	const options = { description, itemIndex };
	const nodeError =
		error instanceof RequestFailedError
			? // From a plain object: n8n ignores every option when it wraps an error.
				new NodeApiError(node, { message }, { message, ...options, ...declare(error) })
			: new NodeOperationError(node, message, options);
	if (error instanceof DescribedError && error.details) nodeError.context.data = details;
	return nodeError;
}

function declare({ why, retryAfterMs, details: { status } }: RequestFailedError) {
	return { httpCode: status?.toString(), failure: declareFailure(why, retryAfterMs) };
}

/**
 * What a trigger throws, without the API key, which people paste into other fields. n8n's own errors stay: n8n itself
 * describes these best, with the place in the editor.
 */
export async function toThrown(
	context: Pick<IPollFunctions, 'getNode' | 'getCredentials'>,
	error: unknown,
	retry?: string,
): Promise<Error> {
	hideSecret(error, await readApiKey(context));
	const isOfN8n = error instanceof ExpressionError || error instanceof NodeOperationError;
	if (isOfN8n || error instanceof NodeApiError) return error;
	return toNodeError(context.getNode(), error, describeError(error, undefined, retry));
}

/**
 * What publishing, unpublishing and a test of the webhook trigger throw, and a poll at publishing. People see only its
 * message, so that says what to do, too. It is set last, because n8n replaces a message that holds a code such as ENOTFOUND
 * when the error is made. n8n's older engine never retries after one with the word "Authorization".
 */
export async function toHookError(
	context: Parameters<typeof toThrown>[0],
	error: unknown,
): Promise<Error> {
	const thrown = await toThrown(context, error);
	const { description } = describeError(error);
	if (!description || thrown === error) return thrown;
	const whole = `${thrown.message.replace(/\.$/, '')}. ${description}`;
	const message = whole.replaceAll('Authorization', 'authorization');
	// Of a request that failed, older releases show only the description.
	if (thrown instanceof NodeApiError) thrown.description = message;
	return Object.assign(thrown, { message });
}

/** A trigger's line in n8n's log, without the API key, which people paste into other fields. */
export async function writeWarning(
	context: Pick<IPollFunctions, 'getNode' | 'getWorkflow' | 'getCredentials' | 'logger'>,
	line: string,
): Promise<void> {
	context.logger.warn(redact(line, await readApiKey(context)), {
		workflowId: context.getWorkflow().id,
		node: context.getNode().name,
	});
}

/**
 * The item that n8n sends to the error output. Any other key beside `error` and `details` makes n8n treat it as a
 * success, and a thrown error would send the input items to the success output.
 */
export function toErrorItem(node: INode, error: unknown, failed: FailedItem): INodeExecutionData {
	const { message, description, details } = describeError(error, failed);
	const errorItem = {
		json: { error: message, details: { ...details, ...(description ? { description } : {}) } },
		pairedItem: { item: failed.item },
	};
	// Older versions of n8n take `details` for a success too, unless the item has an `error` of its own, and would then
	// drop the details. Not enumerable, it decides the output and is gone from n8n's copy of the item.
	if (node.onError === 'continueErrorOutput')
		Object.defineProperty(errorItem, 'error', { value: toNodeError(node, error) });
	return errorItem;
}
