import type { IDataObject } from 'n8n-workflow';
import { readKey } from '../../api/idempotencyKey';
import { runTasks, type Task } from '../../runtime/runTasks';
import { ensureRecord, openEnsureTask } from './ensure';
import { exportFile } from './file';
import { readList } from './list';
import type { SharedState } from './openCall';
import { readOutcome } from './outcome';
import type { EnsurePlan, Plan, WritingPlan } from './plan';
import { preview } from './preview';
import { readRecords } from './read';
import type { ItemOutput, ItemResult } from './result';
import { sendRequest } from './send';
import type { Work } from './work';

/** Executes all items, as many at once as Concurrency allows. Writes to one record go in the order of the input. */
export async function executePlans(work: Work): Promise<ItemResult[]> {
	const { plans, options, sync, continueOnFail, signal } = work;
	const tasks = plans.map((plan, item) => ({
		// In a dry run, too: an item counts on what the ones before it would write.
		locks: 'changes' in plan ? plan.changes : [],
		run: async () => await executePlan(work, plan, item),
	}));
	const runAll = async (some: Array<Task<ItemOutput>>) =>
		await runTasks(some, options.concurrency, () => continueOnFail && !signal?.aborted);
	return await sync.runInChunks(tasks, runAll, (results) => isOver(work, results));
}

/** Whether nothing more is sent after these results. */
export function isOver({ continueOnFail, signal }: Work, results: ItemResult[]): boolean {
	return (
		signal?.aborted === true ||
		(!continueOnFail && results.some(({ status }) => status === 'failed'))
	);
}

async function executePlan(work: Work, plan: Plan, item: number): Promise<ItemOutput> {
	if (plan.kind === 'withheld') throw plan.error;
	const state = { ...(await work.openState()), hints: work.hints.of(item) };
	switch (plan.kind) {
		case 'preview':
			return preview(plan);
		case 'read':
			return { records: await readRecords(state, plan) };
		case 'list':
			return { records: await readList(state, plan) };
		case 'file':
			return await exportFile(work.context, state, plan);
		case 'send':
			return await writeOnce(
				work,
				state,
				plan,
				item,
				async (first, mayBeDone) => await sendRequest(state, first, mayBeDone),
			);
		case 'ensure': {
			const ensure = async (first: EnsurePlan, mayBeDone: boolean) => [
				await ensureRecord(openEnsureTask(state, first, mayBeDone)),
			];
			if (!plan.isDryRun) return await writeOnce(work, state, plan, item, ensure);
			const records = await ensure(plan, false);
			return { records, outcome: readOutcome(plan, records) };
		}
	}
}

/** Once within the execution, and once across executions. */
async function writeOnce<P extends WritingPlan>(
	{ sync }: Work,
	{ memory }: SharedState,
	plan: P,
	item: number,
	send: (plan: P, mayBeDone: boolean) => Promise<IDataObject[]>,
): Promise<ItemOutput> {
	// What this execution has written returns its record.
	const { output } = (plan.kind === 'send' && plan.synced) || {};
	if (output && memory.find(item) !== 'written' && sync.stateOf(item) === 'written')
		return { records: [output], outcome: 'skipped' };
	const sending = memory.writeOnce(plan, item, async (first, mayBeDone) => {
		const written = await send(first, mayBeDone || sync.stateOf(item) === 'in doubt');
		// What was sent as it was first sent says nothing about the record as it is now.
		if (readKey(first.request) === readKey(plan.request)) sync.confirm(item);
		return written;
	});
	await sending.catch((error: unknown) => sync.noteFailure(item, error));
	const records = await sending;
	return { records, outcome: readOutcome(plan, records) };
}
