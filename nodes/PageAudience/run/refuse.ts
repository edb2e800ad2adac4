import { ExpressionError, type NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describeError, listMessages, toNodeError } from '../../errors';
import { mapYielding } from '../../runtime/eventLoop';
import { groupMessages } from './messages';
import type { ItemResult } from './result';
import type { Run } from './open';
import { isWriting, type Plan } from './plan';
import { isWritten } from './summary';
import type { Work } from './work';

/** Different messages in one error; more are only counted. */
const mostMessages = 10;

/**
 * Stops the run before anything is sent, unless it continues without the invalid items.
 * @throws NodeOperationError that names every invalid field
 */
export async function refuseInvalid(run: Run, plans: Plan[]): Promise<void> {
	const invalid = plans.flatMap((plan, item) =>
		plan.kind === 'withheld' ? [{ error: plan.error, item }] : [],
	);
	const [first] = invalid;
	if (run.continueOnFail || !first) return;
	// n8n's own error links to the expression in the editor.
	if (invalid.length === 1 && first.error instanceof ExpressionError) throw first.error;
	const { isTool } = run.execution;
	// A tool call has one item, so its number means nothing to the model.
	const failures = await mapYielding(invalid, ({ error, item }) => ({
		messages: listMessages(error),
		item,
	}));
	const messages = groupMessages(failures, isTool ? 0 : plans.length);
	const rest = messages.length - mostMessages;
	const message =
		messages.slice(0, mostMessages).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
	throw addressToModel(
		run,
		new NodeOperationError(run.context.getNode(), message, {
			description: adviseAfterRefusal(isTool, invalid.length < plans.length),
			itemIndex: first.item,
		}),
	);
}

function adviseAfterRefusal(isTool: boolean, someAreValid: boolean): string {
	if (isTool) return 'Nothing was sent. Correct this and call the tool again.';
	return someAreValid
		? "Nothing was sent. To send the valid items anyway, set On Error to 'Continue (using error output)' in the node's Settings tab."
		: 'Nothing was sent.';
}

/** The error that stops the run at an item that failed. It says what was written before. */
export function stopRun({ plans, ...run }: Work, results: ItemResult[], item: number): Error {
	const result = results[item];
	const error = result?.status === 'failed' ? result.error : undefined;
	const { message, ...rest } = describeError(error, item);
	const isProgress = plans.some(isWriting) && results.length > 1;
	const progress = isProgress ? `. ${describeProgress(plans, results)}` : '';
	const described = { ...rest, message: message + progress };
	return addressToModel(run, toNodeError(run.context.getNode(), error, described));
}

/**
 * n8n passes only the message of a tool's error to the agent, so the description is added to it. The item number is
 * removed: a tool call has one item.
 */
function addressToModel<E extends NodeApiError | NodeOperationError>(
	{ execution }: Pick<Run, 'execution'>,
	error: E,
): E {
	if (!execution.isTool) return error;
	const message = error.message.replaceAll(' [item 0]', '');
	error.message = [message, error.description].filter(Boolean).join('. ');
	return error;
}

/** When the node ran before in this execution, it may have written items that this run has not come to. */
function describeProgress(plans: Plan[], results: ItemResult[]): string {
	const touched = results.map((result, item) => {
		const plan = plans[item];
		if (plan?.kind === 'done') return plan.records;
		if (result.status === 'done') return result.value.records;
		return result.status === 'failed' || isInDoubt(plan) ? [] : undefined;
	});
	const written = touched.filter((records) => records?.some(isWritten)).length;
	const rest = touched.findLastIndex((records) => records !== undefined) + 1;
	const untouched = rest < results.length ? `, none from item ${rest} on` : '';
	return `${written} of ${results.length} items were written${untouched}`;
}

function isInDoubt(plan: Plan | undefined): boolean {
	return (
		plan?.kind === 'withheld' || (plan !== undefined && 'mayBeDone' in plan && !!plan.mayBeDone)
	);
}
