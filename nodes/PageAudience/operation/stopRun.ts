import {
	ExpressionError,
	type IExecuteFunctions,
	type NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import type { Result } from '../../api/schedule';
import { describeError, listMessages, toNodeError } from '../../errors';
import { runsAsTool } from './execution';
import { isPlan, type Plan } from './plan';

/** Problems listed in one message; more are only counted. */
const mostProblems = 10;

/** Stops the run before anything was sent. */
export function refuseRun(context: IExecuteFunctions, plans: Array<Plan | Error>): never {
	const refused = plans.flatMap((plan, item) => (isPlan(plan) ? [] : [{ error: plan, item }]));
	const [first] = refused;
	// n8n itself describes best what is wrong with an expression, with its place in the editor.
	if (refused.length === 1 && first.error instanceof ExpressionError) throw first.error;
	const messages = refused.flatMap(({ error, item }) => listMessages(error, item));
	const rest = messages.length - mostProblems;
	const isTool = runsAsTool(context);
	const where = isTool ? '' : ` of ${refused.length} ${refused.length === 1 ? 'item' : 'items'}`;
	const message =
		messages.length === 1
			? messages[0]
			: `${messages.length} values${where} cannot be sent: ${messages.slice(0, mostProblems).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
	const description = isTool
		? 'Nothing was sent. Correct this and call the tool again.'
		: "Nothing was sent. To send the items that are complete, set On Error to 'Continue (using error output)'.";
	throw addressToModel(
		context,
		new NodeOperationError(context.getNode(), message, { description, itemIndex: first.item }),
	);
}

/** Stops the run at an item, and says what was written before. */
export function stopRun(
	context: IExecuteFunctions,
	error: unknown,
	item: number,
	results: Array<Result<unknown>>,
	isWrite: boolean,
): never {
	const { message, ...rest } = describeError(error, item);
	const progress = isWrite && results.length > 1 ? `. ${describeProgress(results)}` : '';
	const described = { ...rest, message: message + progress };
	throw addressToModel(context, toNodeError(context.getNode(), error, described));
}

/**
 * n8n passes on only the message of a tool's error to the agent, so the message holds what to do as well. A tool call
 * is one item, whose number would tell the model nothing.
 */
function addressToModel<E extends NodeApiError | NodeOperationError>(
	context: IExecuteFunctions,
	error: E,
): E {
	if (!runsAsTool(context)) return error;
	const message = error.message.replaceAll(' [item 0]', '');
	error.message = [message, error.description].filter(Boolean).join('. ');
	return error;
}

function describeProgress(results: Array<Result<unknown>>): string {
	const written = results.filter(({ status }) => status === 'done').length;
	const rest = results.findLastIndex(({ status }) => status !== 'not started') + 1;
	const untouched = rest < results.length ? `, none from item ${rest} on` : '';
	return `${written} of ${results.length} items were written${untouched}`;
}
