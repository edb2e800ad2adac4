import type { IDataObject } from 'n8n-workflow';
import { mapYielding } from '../../runtime/eventLoop';
import { runTasks, type Task } from '../../runtime/runTasks';
import { ensureRecord, openEnsureTask } from './ensure';
import { exportFile } from './file';
import { readList } from './list';
import type { SharedState } from './openCall';
import { readOutcome } from './outcome';
import type { Plan, WritingPlan } from './plan';
import { preview } from './preview';
import { readRecords } from './read';
import type { ItemOutput, ItemResult } from './result';
import { sendRequest } from './send';
import type { Work } from './work';

/** Executes all items, as many at once as Concurrency allows. Writes to one record go in the order of the input. */
export async function executePlans(work: Work): Promise<ItemResult[]> {
	const { plans, options, synced, progress, continueOnFail, signal } = work;
	const tasks = await mapYielding(plans, (plan, item) => ({
		// In a dry run, too: an item counts on what the ones before it would write.
		locks: 'changes' in plan && plan.kind !== 'done' ? plan.changes : [],
		run: async () => await executePlan(work, plan, item).finally(() => progress.noteItem()),
	}));
	const runAll = async (some: Array<Task<ItemOutput>>) =>
		await runTasks(some, options.concurrency, () => continueOnFail && !signal?.aborted);
	return await synced.runInChunks(tasks, runAll, (results) => isOver(work, results));
}

/** Whether nothing more is sent after these results. */
export function isOver({ continueOnFail, signal }: Work, results: ItemResult[]): boolean {
	return (
		signal?.aborted === true ||
		(!continueOnFail && results.some(({ status }) => status === 'failed'))
	);
}

async function executePlan(work: Work, plan: Plan, item: number): Promise<ItemOutput> {
	const { synced } = work;
	if (plan.kind === 'withheld') throw plan.error;
	const state = { ...(await work.openState()), hints: work.hints.of(item) };
	switch (plan.kind) {
		case 'preview':
			return preview(plan, synced.isWritten(item));
		case 'read':
			return { records: await readRecords(state, plan) };
		case 'list':
			return { records: await readList(state, plan) };
		case 'file':
			return await exportFile(work.context, state, plan);
		case 'done':
			return { records: plan.records, outcome: readOutcome(plan, plan.records) };
		case 'send':
			return await writeOnce(
				work,
				state,
				plan,
				item,
				async (mayBeDone) => await sendRequest(state, { ...plan, mayBeDone }),
			);
		case 'ensure': {
			const ensure = async () => [await ensureRecord(openEnsureTask(state, plan, work.plans))];
			if (plan.isDryRun) {
				const records = await ensure();
				return { records, outcome: readOutcome(plan, records) };
			}
			return await writeOnce(work, state, plan, item, ensure);
		}
	}
}

/** Once within the execution, and once across executions. */
async function writeOnce(
	{ journal, synced }: Work,
	{ client }: SharedState,
	plan: WritingPlan,
	item: number,
	send: (mayBeDone: boolean) => Promise<IDataObject[]>,
): Promise<ItemOutput> {
	// Neither what is skipped nor what another Retry forbids is noted: a Retry of this execution must not count it as sent.
	const skipped = synced.find(item);
	if (skipped) return { records: skipped, outcome: 'skipped' };
	const mayBeDone = plan.mayBeDone === true || synced.isDoubtful(item);
	const sending = journal.note(plan, item, client, async () => await send(mayBeDone));
	await sending.catch((error: unknown) => synced.noteFailure(item, error));
	const records = await sending;
	synced.confirm(item);
	return { records, outcome: readOutcome(plan, records) };
}
