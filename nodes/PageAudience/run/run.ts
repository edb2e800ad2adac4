import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Resource } from '../operation/operation';
import { collectOutput } from './collect';
import { executePlans } from './execute';
import { openRun } from './open';
import { planItems } from './planItems';
import { refuseInvalid } from './refuse';
import { showHints } from './showHints';
import { summarize } from './summary';
import { openWork } from './work';

/**
 * Runs the chosen operation for all input items: the item loop, item links and errors of every operation.
 * @throws NodeOperationError or NodeApiError, unless On Error is set to continue
 */
export async function runOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const run = openRun(context, resources);
	const plans = await planItems(run);
	// n8n marks an execution as cancelled only if its nodes throw nothing.
	if (run.signal?.aborted) return [[]];
	refuseInvalid(run, plans);
	const work = await openWork(run, plans);
	const results = await executePlans(work);
	if (run.signal?.aborted) return [[]];
	const summary = await summarize(work, results);
	const output = await collectOutput(work, results, summary);
	await showHints(work, results, summary);
	return [output];
}
