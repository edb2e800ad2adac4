import {
	ExpressionError,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { RequestFailedError } from '../api/failure';
import { toNodeError } from '../errors';
import { toItems } from './output';
import { memoryOf, type TriggerMemory } from './process/memory';
import { isPublishing, publishingMs, tell } from './process/failing';
import { Deadline } from './reading/deadline';
import { fetchTestEvent } from './reading/fetchTestEvent';
import { pollList } from './reading/pollList';
import { PollError } from './reading/pollError';
import { openTarget } from './reading/target';
import { readSettings, type Settings } from './settings';
import { readHistory, readState, type StoredState, writeState } from './state/stored';

/** n8n versions without a budget let a poll take its time, but the next one comes at its own. */
const usualBudgetMs = 5 * 60_000;
/** On n8n's older engine, publishing waits for the first poll, and at a start all other workflows do. */
const firstBudgetMs = 30_000;
/** A poll that is not over by then hangs. */
const graceMs = 15_000;

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') {
		const items = await fetchTestEvent(context).catch((error: unknown) => {
			throw toThrown(context, error);
		});
		return [items];
	}
	const memory = memoryOf(context);
	const budgetMs = readBudget(context, memory);
	const turn = memory.begin(budgetMs + graceMs);
	if (!turn) return null;
	const deadline = new Deadline(budgetMs);
	try {
		return await pollInTurn(context, memory, deadline, turn.isCurrent);
	} finally {
		deadline.close();
		turn.end();
	}
}

async function pollInTurn(
	context: IPollFunctions,
	memory: TriggerMemory,
	deadline: Deadline,
	isCurrent: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const isByPerson = ['activate', 'update'].includes(context.getActivationMode());
	let settings: Settings | undefined;
	let scope: string | undefined;
	let state: StoredState | undefined;
	// The same for the same service, key and list.
	let about = '';
	try {
		settings = readSettings(context);
		const target = await deadline.keep(openTarget(context, settings, deadline.signal));
		({ scope } = target);
		about = `${scope} ${target.client.identity}`;
		const data = context.getWorkflowStaticData('node');
		if (memory.isHandingOver(data.state, scope)) return null;
		state = memory.findState(data.state, scope);
		const { refusal } = memory;
		const isRetried = refusal?.about === about && Date.now() - refusal.at < publishingMs;
		if (isRetried && isPublishing(memory, { scope, hasState: !!state, isByPerson }))
			throw refusal.error;

		const history = state && readHistory(state);
		const read = await pollList(target, history, deadline, memory.accepted);
		// Another poll took over, because this one hung.
		if (!isCurrent()) return null;
		memory.polled.add(scope);
		memory.outage = undefined;
		const items = toItems(read.found, target.event, settings);
		const writtenAt = Math.max(Date.now(), (state?.writtenAt ?? 0) + 1);
		const next =
			state && read.history === history ? state : writeState(scope, read.history, writtenAt);
		// As a whole: n8n notices changes at the top only. A state of this process alone is handed to n8n too.
		if (readState(data.state, scope)?.writtenAt !== next.writtenAt) data.state = next;
		if (items.length === 0) {
			memory.noteQuiet(next);
			return null;
		}
		memory.noteEmitted(next);
		return [items];
	} catch (error) {
		if (!isCurrent()) return null;
		const failure = {
			hasSettings: settings !== undefined,
			scope,
			hasState: state !== undefined,
			isByPerson,
			passes: isPassing(error),
		};
		const isRefusal = isPublishing(memory, failure);
		if (!tell(memory, failure)) {
			logFailure(context, error);
			return null;
		}
		if (isRefusal && error instanceof Error && error !== memory.refusal?.error)
			memory.refusal = { about, error, at: Date.now() };
		throw toThrown(context, error);
	}
}

function readBudget(context: IPollFunctions, { polled }: TriggerMemory): number {
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : usualBudgetMs;
	return polled.size === 0 ? Math.min(budgetMs, firstBudgetMs) : budgetMs;
}

/** Whether the next poll may succeed although nobody does anything. */
function isPassing(error: unknown): boolean {
	if (error instanceof PollError) return error.passes;
	if (!(error instanceof RequestFailedError)) return false;
	const { status } = error.details;
	return status === undefined || status >= 500 || status === 408 || status === 429;
}

function toThrown(context: IPollFunctions, error: unknown): Error {
	// n8n itself describes these best, with the place in the editor.
	if (error instanceof ExpressionError || error instanceof NodeOperationError) return error;
	return toNodeError(context.getNode(), error);
}

function logFailure(context: IPollFunctions, error: unknown): void {
	const what = error instanceof Error ? error.message : String(error);
	context.logger.warn(`Page Audience Polling Trigger: ${what}. The next poll retries.`, {
		workflowId: context.getWorkflow().id,
		node: context.getNode().name,
	});
}
