import { ExpressionError, type NodeApiError, NodeOperationError } from 'n8n-workflow';
import { enumerate } from '../../api/enumerate';
import { describeError, listMessages, toNodeError } from '../../errors';
import { mapYielding } from '../../runtime/eventLoop';
import type { ItemResult } from './result';
import type { Run } from './open';
import { isWriting, type Plan } from './plan';
import type { Work } from './work';

/** Different messages in one error, and items named for each; more are only counted. */
const mostMessages = 10;
const mostItems = 3;

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

/**
 * Each message once, with its items behind it.
 * @param total number of items; 0 names none, as in a tool call, which has one item
 */
export function groupMessages(
	failures: Array<{ messages: string[]; item: number }>,
	total: number,
): string[] {
	const itemsByMessage = new Map<string, number[]>();
	for (const { messages, item } of failures) {
		for (const message of messages) {
			const items = itemsByMessage.get(message) ?? [];
			items.push(item);
			itemsByMessage.set(message, items);
		}
	}
	return [...itemsByMessage].map(([message, items]) =>
		total === 0 ? message : `${message} [${describeItems(items, total)}]`,
	);
}

/** As listItems, or `all 20 items`. */
function describeItems(items: number[], total: number): string {
	return items.length > 1 && items.length === total ? `all ${total} items` : listItems(items);
}

/** `item 3`, `items 0, 3 and 5`, or `items 0, 3, 5 and 41 more`. */
export function listItems(items: number[]): string {
	const label = items.length === 1 ? 'item' : 'items';
	return `${label} ${enumerate(items.map(String), mostItems)}`;
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
	const progress = isProgress ? `. ${describeProgress(results)}` : '';
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

function describeProgress(results: ItemResult[]): string {
	const written = results.filter(({ status }) => status === 'done').length;
	const rest = results.findLastIndex(({ status }) => status !== 'not started') + 1;
	const untouched = rest < results.length ? `, none from item ${rest} on` : '';
	return `${written} of ${results.length} items were written${untouched}`;
}
