/**
 * One poll:
 * 1. `settings.ts` reads the panel, and `list.ts` opens a list for each page, or one of all people, or of an account.
 * 2. `findNew.ts` reads each list until its end or the deadline. `scan.ts` says where to begin, `events.ts` by what a record
 *    is known, and `known.ts` whether it is.
 * 3. `output.ts` adds interactions to the new records, and makes items of them.
 * 4. This file puts the new state into n8n's static data, and n8n stores it together with the execution that the items
 *    start.
 *
 * A person who tests gets the newest records instead (`fetchNewest.ts`), and no state changes.
 *
 * Two things outlive a poll, and only this file replaces them: `PollState`, whose `ListState` comes whole from `scan.ts` or
 * `findNew.ts`, and `PollMemory`. `api/paginate.ts` alone changes the page size in it.
 */
import { ExpressionError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import { type AcceptedLimit, startLimit } from '../api/paginate';
import { readConnection } from '../api/connection';
import { RequestFailedError } from '../api/errors';
import { describeError, toHookError, toThrown } from '../nodeErrors';
import { ItemRefusedError } from '../parameters/problem';
import { RecentMap } from '../runtime/recentMap';
import { type Deadline, within } from './deadline';
import { events } from './events';
import { fetchNewest } from './fetchNewest';
import { findNew } from './findNew';
import { openLists, type PolledList } from './list';
import { type FoundRecord, logPollWarning, sortByDate, toPolledItems } from './output';
import { beginState, type ListState } from './scan';
import { readPollSettings } from './settings';

/** n8n versions that give a poll no budget start the next one at its time, even if this one is not over. */
const usualBudgetMs = 5 * 60_000;
/** On n8n's older engine, publishing waits for the first poll, and at a start all other workflows do. */
const firstBudgetMs = 30_000;
/** A list is begun only if there is time for one response of a slow service. */
const leastMs = 10_000;
/** n8n tries to publish five times, and waits for 8 seconds at most in between. */
const publishingMs = 9_000;
/** How long n8n may take to store what a poll emits: usually milliseconds, but more on a machine that is busy. */
const storingMs = 30_000;
/** An outage is told once for so long. */
const dayMs = 24 * 60 * 60_000;
const longestPauseMs = 30 * 60_000;
const retriedByPoll = 'The next poll retries.';

/** What n8n stores for the trigger, in its static data. */
interface PollState {
	/** Milliseconds. A later poll has a greater one. */
	savedAt: number;
	lists: ListStates;
}

/** By the scopes of the lists. */
type ListStates = Record<string, ListState>;

/** What this process remembers of a trigger. */
interface PollMemory {
	isBusy: boolean;
	/** Whether there was a poll before, other than refused publishings. */
	hasPolled: boolean;
	/** When a failed execution, or a refused publishing, has last told the outage that is not over. */
	toldAt?: number;
	pause?: Pause;
	/** The page size that the service accepts. */
	accepted: AcceptedLimit;
	/** The scope of the list to begin with, because there was no time for it. */
	nextScope?: string;
	/** The latest that n8n has stored, or that later polls have made of it without emitting anything. */
	state?: PollState;
	/** When the latest poll emitted something. */
	emittedAt?: number;
}

/**
 * Each poll would meet the same: with this API key, the service rejects all requests. n8n has pauses of its own only with
 * durable cursors, and until a poll returns.
 */
interface Pause {
	/** Once the key or the Base URL is corrected, the next poll goes on. */
	apiKeyHash: string;
	/** Polls in a row. */
	failures: number;
	until: number;
}

interface PollResult {
	items: INodeExecutionData[];
	lists: ListStates;
	failures: ListFailure[];
}

/** Why a list could not be read. */
interface ListFailure {
	error: unknown;
	list?: PolledList;
	/** Nothing is known of the list, as when a person publishes. */
	isNew: boolean;
}

/** By the node's name too, as n8n's data is: after a rename both begin anew. */
const memories = new RecentMap<string, PollMemory>(10_000);

/** In n8n's usual engine, all polls of one activation have one context. With its scheduler, each poll has a new one. */
const polledContexts = new WeakSet<IPollFunctions>();

/** @returns null if nothing is new, so that n8n executes nothing */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	try {
		const items = isTest ? await fetchNewest(context) : await pollAlone(context);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw await toThrown(context, error, isTest ? undefined : retriedByPoll);
	}
}

/** One poll runs at a time: n8n starts the next one although this one is not over. */
async function pollAlone(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const memory = recall(context);
	if (memory.isBusy) return [];
	memory.isBusy = true;
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : usualBudgetMs;
	const mostMs = memory.hasPolled ? usualBudgetMs : firstBudgetMs;
	const work = async (deadline: Deadline) => await pollLists(context, memory, deadline);
	return await within(Math.min(budgetMs, mostMs), work).finally(() => (memory.isBusy = false));
}

function recall(context: IPollFunctions): PollMemory {
	const { id, name } = context.getNode();
	const trigger = JSON.stringify([context.getWorkflow().id, id, name]);
	const begun = { isBusy: false, hasPolled: false, accepted: startLimit() };
	const memory = memories.get(trigger) ?? begun;
	memories.set(trigger, memory);
	return memory;
}

/** Reads all lists, and hands n8n the new state together with the records that start the workflow. */
async function pollLists(
	context: IPollFunctions,
	memory: PollMemory,
	deadline: Deadline,
): Promise<INodeExecutionData[]> {
	const isFirst = !polledContexts.has(context);
	polledContexts.add(context);
	const isPublishing = isFirst && context.getActivationMode() === 'activate';
	if (!isPublishing && (await isPaused(context, memory))) return [];
	const data = context.getWorkflowStaticData('node');
	const stored = data.state as PollState | undefined;
	if (isBeingStored(memory, stored)) return [];
	// n8n's state may be older: n8n does not store the state of a poll without records, and an execution that ends late
	// writes back the state that it began with.
	if (stored && stored.savedAt > (memory.state?.savedAt ?? 0)) memory.state = stored;
	// Such as after a Code node has put older static data back.
	if (!memory.state && !memory.hasPolled && context.getActivationMode() === 'init')
		await logPollWarning(context, 'n8n has no earlier poll: the trigger starts, or starts over.');
	const { savedAt, lists } = memory.state ?? { savedAt: 0, lists: {} };
	const isNew = Object.keys(lists).length === 0;
	const result: PollResult = await readLists(context, memory, deadline, lists)
		// Without settings or a client, no list can be read.
		.catch((error: unknown) => ({ items: [], lists, failures: [{ error, isNew }] }));
	if (result.failures.length > 0) await reportFailures(context, memory, result, isFirst);
	else memory.toldAt = memory.pause = undefined;
	memory.hasPolled = true;
	const state: PollState = { savedAt: Math.max(Date.now(), savedAt + 1), lists: result.lists };
	data.state = state;
	if (result.items.length > 0) memory.emittedAt = state.savedAt;
	else memory.state = state;
	return result.items;
}

/**
 * Whether n8n may still be storing what another poll emitted. With n8n's scheduler, a poll may begin with the state from
 * before that one, and would emit the same records again. n8n drops them together with the state when the workflow was
 * changed in the meantime, and then they must be found again.
 */
function isBeingStored({ emittedAt = 0 }: PollMemory, stored: PollState | undefined): boolean {
	return emittedAt > (stored?.savedAt ?? 0) && Math.abs(Date.now() - emittedAt) < storingMs;
}

/** A list that cannot be read keeps its state, and does not keep the others from starting the workflow. */
async function readLists(
	context: IPollFunctions,
	memory: PollMemory,
	deadline: Deadline,
	states: ListStates,
): Promise<PollResult> {
	const startedAt = Date.now();
	const settings = readPollSettings(context);
	const all = await openLists(context, settings, deadline, memory.accepted);
	const found: FoundRecord[] = [];
	const result: PollResult = { items: [], lists: {}, failures: [] };
	let skipped: string | undefined;
	// So a list that takes all of the time delays the others of one poll only.
	const first = all.findIndex(({ scope }) => scope === memory.nextScope);
	all.push(...all.splice(0, first));
	for (const [n, list] of all.entries()) {
		const { scope, baseUrl } = list;
		const earlier = states[scope];
		// What is known at another Base URL is kept until this one works: it may be a mistake.
		let kept = earlier;
		try {
			const state = earlier?.baseUrl === baseUrl ? earlier : beginState(list, startedAt);
			kept ??= state;
			if (n > 0 && deadline.endsAt - performance.now() < leastMs) skipped ??= scope;
			else {
				const ofList = await findNew(list, state, startedAt);
				kept = ofList.state;
				for (const each of ofList.found) found.push(each);
				if (ofList.warning) await logPollWarning(context, ofList.warning);
			}
		} catch (error) {
			result.failures.push({ error, list, isNew: !earlier });
		}
		if (kept) result.lists[scope] = kept;
	}
	memory.nextScope = skipped ?? memory.nextScope;
	const sorted = sortByDate(found, 'oldest first');
	return { ...result, items: toPolledItems(events[settings.event], settings, sorted) };
}

/** Logs failures, or throws one error for all, once per outage and day: n8n shows it as a failed execution. */
async function reportFailures(
	context: IPollFunctions,
	memory: PollMemory,
	result: PollResult,
	isFirst: boolean,
): Promise<void> {
	const { failures } = result;
	const sinceToldMs = Date.now() - (memory.toldAt ?? -Infinity);
	const isRetried = sinceToldMs < publishingMs;
	const isOfPanel = (e: unknown) => e instanceof ItemRefusedError || e instanceof ExpressionError;
	const isRefused = failures.some(({ error, isNew }) => isNew || (isRetried && isOfPanel(error)));
	if (isFirst && isRefused && ['activate', 'update'].includes(context.getActivationMode())) {
		memory.toldAt = Date.now();
		throw await toHookError(context, joinFailures(result));
	}
	memory.pause = findPause(memory, failures);
	// When the first poll after a start throws, n8n gives the trigger up for good.
	if (memory.hasPolled && sinceToldMs > dayMs) {
		memory.toldAt = Date.now();
		// What was found waits for one poll: the next one finds it again. n8n's Retry of the failed execution would not poll.
		throw joinFailures(result, retriedByPoll);
	}
	await logPollWarning(context, `${describeError(joinFailures(result)).message}. ${retriedByPoll}`);
}

async function isPaused(context: IPollFunctions, { pause }: PollMemory): Promise<boolean> {
	if (!pause || Date.now() >= pause.until) return false;
	return await readConnection(context).then(
		({ identity }) => identity.startsWith(pause.apiKeyHash),
		() => false,
	);
}

/** The first failure has no pause. Each one after it has twice as long a pause, and at least what the service asks for. */
function findPause({ pause }: PollMemory, failures: ListFailure[]): Pause | undefined {
	for (const { error, list } of failures) {
		if (!list || !(error instanceof RequestFailedError) || !error.why.ofKey) continue;
		const { apiKeyHash } = list;
		const count = pause?.apiKeyHash === apiKeyHash ? pause.failures + 1 : 1;
		const ownMs = (2 ** (count - 1) - 1) * 60_000;
		const pauseMs = Math.min(Math.max(ownMs, error.retryAfterMs ?? 0), longestPauseMs);
		return { apiKeyHash, failures: count, until: Date.now() + pauseMs };
	}
	return undefined;
}

/** One error for all that failed. What all lists have in common needs no pages. */
function joinFailures({ failures, lists }: PollResult, retry?: string): unknown {
	const [first] = failures;
	const messages = failures.map(({ error }) => describeError(error).message);
	const isOfAll = failures.length === Object.keys(lists).length && new Set(messages).size === 1;
	if (!first?.list || isOfAll) return first?.error;
	const named = failures.map(({ list }, n) => {
		const { pageId = '' } = list?.settings ?? {};
		const message = messages[n] ?? '';
		return message.includes(pageId) ? message : `Page "${pageId}": ${message}`;
	});
	const { description } = describeError(first.error, undefined, retry);
	return Object.assign(new Error(named.join('; ')), { description });
}
