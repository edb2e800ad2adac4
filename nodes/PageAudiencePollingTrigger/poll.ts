import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { type AcceptedLimit, startLimit } from '../api/paginate';
import { describeError, toThrown, writeWarning } from '../nodeErrors';
import { RecentMap } from '../runtime/recentMap';
import { events } from './events';
import { fetchNewest } from './fetchNewest';
import { beginState, findNew, type ListState } from './findNew';
import { type Deadline, openLists, type PolledList, within } from './list';
import { type Found, sortByDate, toItems } from './output';
import { readSettings, type Settings } from './settings';

/** n8n versions without a budget let a poll take its time, but the next one comes at its own. */
const usualBudgetMs = 5 * 60_000;
/** On n8n's older engine, publishing waits for the first poll, and at a start all other workflows do. */
const firstBudgetMs = 30_000;
/** A list is begun only if there is time for one response of a slow service. */
const leastMs = 10_000;
/** How long n8n may take to store what a poll emits: usually milliseconds, but more on a machine that is busy. */
const storingMs = 30_000;

/** What n8n stores for the trigger. */
interface Saved {
	/** Milliseconds. A later poll has a greater one. */
	at: number;
	/** By the scopes of the lists. */
	lists: Record<string, ListState>;
}

/** What this process remembers of a trigger. */
interface Memory {
	isBusy: boolean;
	/** Whether there was a poll before, other than refused publishings. */
	hasPolled: boolean;
	/** Whether a failed execution has told of an outage that is not over. */
	isTold: boolean;
	/** The page size that the service accepts. */
	accepted: AcceptedLimit;
	/** The scope of the list to begin with, because there was no time for it. */
	next?: string;
	/** The latest that n8n has, or that follows from it without anything emitted. */
	latest?: Saved;
	/** When the latest poll emitted something. */
	emittedAt?: number;
}

/** Why a list could not be read. */
interface Failure {
	error: unknown;
	/** Of the page, where there may be several lists. */
	pageId?: string;
	/** Nothing is known of the list, as when a person publishes. */
	isNew: boolean;
}

interface Outcome {
	found: Found[];
	lists: Saved['lists'];
	failures: Failure[];
}

/** By the node's name too, as n8n's data is: after a rename both begin anew. */
const memories = new RecentMap<string, Memory>(10_000);

/** @returns null if nothing is new, so that n8n executes nothing */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = readSettings(context);
		const found =
			context.getMode() === 'manual'
				? await test(context, settings)
				: await pollAlone(context, settings);
		return found.length > 0 ? [toItems(events[settings.event], settings, found)] : null;
	} catch (error) {
		throw await toThrown(context, error);
	}
}

async function test(context: IPollFunctions, settings: Settings): Promise<Found[]> {
	const { found, warning } = await fetchNewest(context, settings);
	if (warning) await logWarning(context, warning);
	return found;
}

/** One poll runs at a time: n8n starts the next one although this one is not over. */
async function pollAlone(context: IPollFunctions, settings: Settings): Promise<Found[]> {
	const memory = recall(context);
	if (memory.isBusy) return [];
	memory.isBusy = true;
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : usualBudgetMs;
	const mostMs = memory.hasPolled ? usualBudgetMs : firstBudgetMs;
	return await within(
		Math.min(budgetMs, mostMs),
		async (deadline) => await findAll(context, settings, memory, deadline),
	).finally(() => (memory.isBusy = false));
}

function recall(context: IPollFunctions): Memory {
	const { id, name } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, id, name]);
	const memory = memories.get(key) ?? {
		isBusy: false,
		hasPolled: false,
		isTold: false,
		accepted: startLimit(),
	};
	memories.set(key, memory);
	return memory;
}

/** Reads all lists, and hands n8n what is known then together with the records that start the workflow. */
async function findAll(
	context: IPollFunctions,
	settings: Settings,
	memory: Memory,
	deadline: Deadline,
): Promise<Found[]> {
	const data = context.getWorkflowStaticData('node');
	const stored = data.polled as Saved | undefined;
	if (isStoring(memory, stored)) return [];
	// An older one is from before polls that found nothing, or an execution that started earlier has put it back.
	if (stored && stored.at > (memory.latest?.at ?? 0)) memory.latest = stored;
	const { at = 0, lists: before = {} } = memory.latest ?? {};
	const outcome = await readLists(context, settings, memory, deadline, before)
		// Without a client, no list can be read.
		.catch((error: unknown): Outcome => {
			const isNew = Object.keys(before).length === 0;
			return { found: [], lists: before, failures: [{ error, isNew }] };
		});
	const { found, lists, failures } = outcome;
	if (failures.length === 0) memory.isTold = false;
	else await report(context, memory, outcome, joinFailures(failures, settings.pageIds.length));
	memory.hasPolled = true;
	const saved: Saved = { at: Math.max(Date.now(), at + 1), lists };
	data.polled = saved;
	if (found.length > 0) memory.emittedAt = saved.at;
	else memory.latest = saved;
	return sortByDate(found, 'oldest first');
}

/**
 * Whether n8n may still be storing what another poll emitted. With n8n's scheduler, a poll may begin with the state from
 * before that one, and would emit the same records again. n8n drops them together with the state when the workflow was
 * changed in the meantime, and then they must be found again.
 */
function isStoring({ emittedAt = 0 }: Memory, stored: Saved | undefined): boolean {
	return emittedAt > (stored?.at ?? 0) && Date.now() - emittedAt < storingMs;
}

/** A list that cannot be read keeps its state, and does not keep the others from starting the workflow. */
async function readLists(
	context: IPollFunctions,
	settings: Settings,
	memory: Memory,
	deadline: Deadline,
	before: Saved['lists'],
): Promise<Outcome> {
	const startedAt = Date.now();
	const all = await openLists(context, settings, deadline, memory.accepted);
	const outcome: Outcome = { found: [], lists: {}, failures: [] };
	const skipped: string[] = [];
	for (const [n, list] of beginWith(memory.next, all).entries()) {
		const { scope } = list;
		try {
			const state = before[scope] ?? beginState(list, startedAt);
			outcome.lists[scope] = state;
			if (n > 0 && deadline.getRestMs() < leastMs) {
				skipped.push(scope);
				continue;
			}
			const reviewed = await findNew(list, state, startedAt);
			outcome.lists[scope] = reviewed.state;
			for (const each of reviewed.found) outcome.found.push(each);
			if (reviewed.warning) await logWarning(context, reviewed.warning);
		} catch (error) {
			const { pageId } = list.settings;
			outcome.failures.push({ error, pageId, isNew: before[scope] === undefined });
		}
	}
	memory.next = skipped[0] ?? memory.next;
	return outcome;
}

/** So a list that takes all of the time delays the others of one poll only. */
function beginWith(scope: string | undefined, lists: PolledList[]): PolledList[] {
	const first = lists.findIndex((list) => list.scope === scope);
	return first < 0 ? lists : [...lists.slice(first), ...lists.slice(0, first)];
}

/**
 * Logs a failure, or has n8n show it as a failed execution: once per outage.
 * @throws the error
 */
async function report(
	context: IPollFunctions,
	memory: Memory,
	{ found, failures }: Outcome,
	error: unknown,
): Promise<void> {
	const isPublishing = ['activate', 'update'].includes(context.getActivationMode());
	if (isPublishing && failures.some(({ isNew }) => isNew)) throw error;
	// When the first poll after a start throws, n8n gives the trigger up for good. What was found must not wait.
	if (memory.hasPolled && !memory.isTold && found.length === 0) {
		memory.isTold = true;
		throw error;
	}
	await logWarning(context, `${describeError(error).message}. The next poll retries.`);
}

/** One error for all that failed. What all lists have in common needs no pages. */
function joinFailures(failures: Failure[], lists: number): unknown {
	const [first] = failures;
	const messages = failures.map(({ error }) => describeError(error).message);
	const isOfAll = failures.length === lists && new Set(messages).size === 1;
	if (!first || isOfAll || first.pageId === undefined) return first?.error;
	const named = failures.map(({ pageId = '' }, n) => {
		const message = messages[n] ?? '';
		return message.includes(pageId) ? message : `Page "${pageId}": ${message}`;
	});
	const { description } = describeError(first.error);
	return Object.assign(new Error(named.join('; ')), { description });
}

async function logWarning(context: IPollFunctions, what: string): Promise<void> {
	await writeWarning(context, `Page Audience Polling Trigger: ${what}`);
}
