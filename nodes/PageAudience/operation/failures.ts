import {
	ExpressionError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { UnexpectedAnswer } from '../../api/response';
import { RequestFailure } from '../../api/failure';
import { runsAsTool } from './execution';
import { isPlan, type Plan } from './plan';
import { describeProblem, Refusal } from '../../parameters/problem';
import type { Result } from '../../api/schedule';

/** Problems told in one message; more are only counted. */
const mostProblems = 10;

interface Story {
	message: string;
	description?: string;
	details: IDataObject;
}

/** A write that n8n runs again although nobody knows whether the service did it the first time. */
export class InDoubt extends Error {
	readonly description =
		'Look in the service whether it is there. To send it all the same, retry the execution from the list of executions.';

	constructor() {
		super(
			'This was sent before without an answer, and is not sent again because it could then be there twice',
		);
	}
}

/**
 * What n8n takes for an item that went wrong: any further key beside `error` and `details` would send it out
 * as a success, and a thrown error would send the input items out as one.
 */
export function toErrorItem(error: unknown, item: number): INodeExecutionData {
	const { message, description, details } = tell(error, item);
	return {
		json: { error: message, details: { ...details, ...(description ? { description } : {}) } },
		pairedItem: { item },
	};
}

/** Stops the run before anything was sent. */
export function refuseRun(context: IExecuteFunctions, plans: Array<Plan | Error>): never {
	const refused = plans.flatMap((plan, item) => (isPlan(plan) ? [] : [{ error: plan, item }]));
	const [first] = refused;
	// What an expression got wrong n8n itself tells best, with the place in the editor.
	if (refused.length === 1 && first.error instanceof ExpressionError) throw first.error;
	const told = refused.flatMap(({ error, item }) => listMessages(error, item));
	const rest = told.length - mostProblems;
	const isTool = runsAsTool(context);
	const where = isTool ? '' : ` of ${refused.length} ${refused.length === 1 ? 'item' : 'items'}`;
	const message =
		told.length === 1
			? told[0]
			: `${told.length} values${where} cannot be sent: ${told.slice(0, mostProblems).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
	const description = isTool
		? 'Nothing was sent. Correct this and call the tool again.'
		: "Nothing was sent. To send the items that are complete, set On Error to 'Continue (using error output)'.";
	throw addressed(
		context,
		new NodeOperationError(context.getNode(), message, { description, itemIndex: first.item }),
	);
}

/** Stops the run at an item, and says what was done before. */
export function stopRun(
	context: IExecuteFunctions,
	error: unknown,
	item: number,
	results: Array<Result<unknown>>,
	isWrite: boolean,
): never {
	const { message: what, description: told, details } = tell(error, item);
	const message = isWrite && results.length > 1 ? `${what}. ${describeProgress(results)}` : what;
	if (!(error instanceof RequestFailure)) {
		throw addressed(
			context,
			new NodeOperationError(context.getNode(), message, { description: told, itemIndex: item }),
		);
	}
	const stopped = new NodeApiError(
		context.getNode(),
		{ message },
		{
			message,
			description: told,
			httpCode: details.status === undefined ? undefined : String(details.status),
			itemIndex: item,
		},
	);
	stopped.context.data = details;
	throw addressed(context, stopped);
}

/**
 * The error for who reads it. Of an agent's tool n8n passes on the message alone, so that what to do stands in it too;
 * and a call is one item, whose number would tell the model nothing.
 */
function addressed<E extends NodeApiError | NodeOperationError>(
	context: IExecuteFunctions,
	error: E,
): E {
	if (!runsAsTool(context)) return error;
	const what = error.message.replaceAll(' [item 0]', '');
	error.message = [what, error.description].filter(Boolean).join('. ');
	return error;
}

function describeProgress(results: Array<Result<unknown>>): string {
	const written = results.filter(({ status }) => status === 'done').length;
	const rest = results.findLastIndex(({ status }) => status !== 'not started') + 1;
	const untouched = rest < results.length ? `, none from item ${rest} on` : '';
	return `${written} of ${results.length} items were written${untouched}`;
}

function tell(error: unknown, item: number): Story {
	if (error instanceof Refusal) {
		return { message: listMessages(error, item).join('; '), details: { itemIndex: item } };
	}
	if (error instanceof RequestFailure) {
		const { message, description, details } = error;
		return {
			message: `${message} [item ${item}]`,
			description,
			details: { ...details, itemIndex: item },
		};
	}
	const message = error instanceof Error ? error.message : String(error);
	const description = hasDescription(error) ? error.description : undefined;
	const known = error instanceof UnexpectedAnswer ? error.details : {};
	return {
		message: `${message} [item ${item}]`,
		description,
		details: { ...known, itemIndex: item },
	};
}

function listMessages(error: Error, item: number): string[] {
	const messages = error instanceof Refusal ? error.problems.map(describeProblem) : [error.message];
	return messages.map((message) => `${message} [item ${item}]`);
}

function hasDescription(error: unknown): error is { description: string } {
	return error instanceof Error && 'description' in error && typeof error.description === 'string';
}
