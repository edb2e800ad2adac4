import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import { mapYielding } from '../../runtime/eventLoop';
import { runTasks, type Task } from '../../runtime/runTasks';
import { ensureRecord, openEnsureTask } from './ensure';
import { exportFile } from './file';
import { readList } from './list';
import type { SharedState } from './openCall';
import type { EnsurePlan, Plan, SendPlan } from './plan';
import { preview } from './preview';
import { readRecords } from './read';
import type { ItemOutput, ItemResult } from './result';
import { sendRequest } from './send';
import type { Work } from './work';

/** Executes all items, as many at once as Concurrency allows. Writes to one record go in the order of the input. */
export async function executePlans(work: Work): Promise<ItemResult[]> {
	const { plans, options, synced, progress, continueOnFail, signal } = work;
	const tasks = await mapYielding(plans, (plan, item) => ({
		keys: 'changes' in plan ? plan.changes : [],
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
	if (plan.kind === 'invalid') throw plan.error;
	const state = await work.openState();
	switch (plan.kind) {
		case 'preview':
			return { records: [preview(plan)] };
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
				async (request, mayBeDone) => await sendRequest(state, { ...plan, request }, mayBeDone),
			);
		case 'ensure': {
			const task = openEnsureTask(state, plan, () =>
				work.journal.listEarlier(work.plans, state.client.identity),
			);
			if (plan.isDryRun) return { records: [await ensureRecord(task, false)] };
			return await writeOnce(work, state, plan, item, async (create, mayBeDone) => [
				await ensureRecord({ ...task, create }, mayBeDone),
			]);
		}
	}
}

/** Once within the execution, and once across executions. */
async function writeOnce(
	{ plans, journal, synced }: Work,
	{ client: { identity } }: SharedState,
	plan: SendPlan | EnsurePlan,
	item: number,
	send: (request: ApiRequest, mayBeDone: boolean) => Promise<IDataObject[]>,
): Promise<ItemOutput> {
	const isSuperseded = await journal.isSuperseded(item, plans, identity);
	const records = await journal.once(
		item,
		plan,
		identity,
		async (request, mayBeDone) => synced.find(item) ?? (await send(request, mayBeDone)),
		isSuperseded,
	);
	synced.confirm(item);
	return { records };
}
