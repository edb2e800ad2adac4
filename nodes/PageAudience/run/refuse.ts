import { ExpressionError, type NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describeError, listMessages, toNodeError } from '../../errors';
import { countedFrom0, groupMessages } from './messages';
import type { Memory } from './memory';
import { type ItemResult, outcomeOf } from './result';
import type { Run } from './open';
import { isWritten } from './outcome';
import { isWriting, type Plan } from './plan';
import type { Work } from './work';

/**
 * Stops the run before anything is sent, unless it continues without the invalid items.
 * @throws NodeOperationError that names every invalid field
 */
export function refuseInvalid(run: Run, plans: Plan[]): void {
	const invalid = plans.flatMap((plan, item) =>
		plan.kind === 'withheld' ? [{ error: plan.error, item }] : [],
	);
	const [first] = invalid;
	if (run.continueOnFail || !first) return;
	// n8n's own error links to the expression in the editor.
	if (invalid.length === 1 && first.error instanceof ExpressionError) throw first.error;
	const { isTool } = run.execution;
	const failures = invalid.map(({ error, item }) => ({ messages: listMessages(error), item }));
	const message = groupMessages(failures, plans.length);
	throw addressToModel(
		run,
		new NodeOperationError(run.context.getNode(), message, {
			description: adviseAfterRefusal(isTool, invalid.length < plans.length),
			// The editor adds it to a message that does not name it, and one of several items would stand behind them.
			itemIndex: invalid.length === 1 ? first.item : undefined,
		}),
	);
}

function adviseAfterRefusal(isTool: boolean, someAreValid: boolean): string {
	if (isTool) return 'Nothing was sent. Correct this and call the tool again.';
	return someAreValid
		? `Nothing was sent. To send the valid items anyway, set On Error to 'Continue (using error output)' in the node's Settings tab. ${countedFrom0}`
		: 'Nothing was sent.';
}

/** The error that stops the run at an item that failed. It says what was written before. */
export function stopRun(
	{ plans, ...run }: Work,
	memory: Memory | undefined,
	results: ItemResult[],
	item: number,
): Error {
	const result = results[item];
	const error = result?.status === 'failed' ? result.error : undefined;
	const total = results.length;
	const { message, description, details } = describeError(error, { item, total });
	const isProgress = plans.some(isWriting) && total > 1;
	const progress = isProgress ? `. ${describeProgress(memory, results)}` : '';
	const described = {
		message: message + progress,
		description: [description, total > 1 && countedFrom0].filter(Boolean).join(' '),
		details,
	};
	return addressToModel(run, toNodeError(run.context.getNode(), error, described));
}

/** n8n passes only the message of a tool's error to the agent, so the description is added to it. */
function addressToModel<E extends NodeApiError | NodeOperationError>(
	{ execution }: Pick<Run, 'execution'>,
	error: E,
): E {
	if (execution.isTool)
		error.message = [error.message, error.description].filter(Boolean).join('. ');
	return error;
}

/** When the node ran before in this execution, it may have written items that this run has not come to. */
function describeProgress(memory: Memory | undefined, results: ItemResult[]): string {
	const isDone = (result: ItemResult, item: number) =>
		result.status === 'not started'
			? memory?.find(item) === 'written'
			: isWritten(outcomeOf(result));
	const written = results.filter(isDone).length;
	if (written === 0) return 'No items were written';
	const rest = results.findLastIndex(
		({ status }, item) => status !== 'not started' || memory?.find(item) !== undefined,
	);
	const untouched = rest + 1 < results.length ? `, none from item ${rest + 1} on` : '';
	return `${written} of ${results.length} items were written${untouched}`;
}
