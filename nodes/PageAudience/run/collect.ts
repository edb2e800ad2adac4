import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toErrorItem } from '../../errors';
import { pickFields } from '../../records/shapes';
import { Yielder } from '../../runtime/eventLoop';
import { shapeRecord } from '../operation/output';
import type { ItemResult } from './result';
import { isDryRun, isValid, type ValidPlan } from './plan';
import { stopRun } from './refuse';
import { makeReport } from './report';
import type { Summary } from './summary';
import type { Work } from './work';

/**
 * The output items of all items, in the order of the input, or the report in place of them. Items that failed still go to
 * the error output, where there is one.
 * @throws the error of the first item that failed, unless On Error is set to continue
 */
export async function collectOutput(
	work: Work,
	results: ItemResult[],
	summary: Summary,
): Promise<INodeExecutionData[]> {
	const { context, plans, continueOnFail, isReported } = work;
	const memory = (await work.findState())?.memory;
	const node = context.getNode();
	const showsErrors = !isReported || node.onError === 'continueErrorOutput';
	const output: INodeExecutionData[] = [];
	const yielder = new Yielder();
	for (const [item, result] of results.entries()) {
		await yielder.yieldToEventLoop();
		const plan = plans[item];
		if (result.status === 'failed') {
			if (!continueOnFail) throw stopRun(work, memory, results, item);
			if (showsErrors)
				output.push(toErrorItem(node, result.error, { item, total: results.length }));
		}
		if (isReported || result.status !== 'done' || !plan || !isValid(plan)) continue;
		const { records, binary } = result.value;
		for (const record of records) {
			await yielder.yieldToEventLoop();
			const json = plan.kind === 'file' ? record : shape(work, plan, record);
			output.push({ json, ...(binary && { binary }), pairedItem: { item } });
		}
	}
	// First, so that Retry On Fail sees a success: what failed is in the report.
	if (isReported) output.unshift(makeReport(work, results, summary));
	if (!isRunAgain(work, output)) memory?.forget();
	return output;
}

function shape({ execution }: Work, plan: ValidPlan, record: IDataObject): IDataObject {
	if (isDryRun(plan) || !('operation' in plan)) return record;
	const { output } = plan.operation;
	const shaped = shapeRecord(record, output, plan.values);
	return execution.isTool && output?.forTools ? pickFields(shaped, output.forTools) : shaped;
}

/** With Retry On Fail, n8n runs the whole node again when its first output item has an error. */
function isRunAgain({ context }: Work, [first]: INodeExecutionData[]): boolean {
	return context.getNode().retryOnFail === true && first?.json.error !== undefined;
}
