import type { ItemResult } from './result';
import { isDryRun, isValid, type Plan } from './plan';
import { describeSummary, type Summary } from './summary';
import type { Work } from './work';

/** Says what a person should know of the run beside its output. */
export async function showHints(
	work: Work,
	results: ItemResult[],
	summary: Summary,
): Promise<void> {
	const { context, hints, execution, operation, sync } = work;
	if (!execution.isTool && isSummed(work))
		hints.add('summary', describeSummary(summary, results.length));
	if (isSyncShown(work)) hints.add('remembering', dryRunOfSync);
	if (sync.failure !== undefined)
		hints.add(
			'remembering',
			`n8n failed to look up or remember some records, so they are sent again with the same keys: ${String(sync.failure)}`,
		);
	hints.add('waiting', describeWaiting(summary));
	if (!operation.readsOnce) hints.add('repetition', describeRepetition(work, results));
	hints.show(context, results.length);
}

/** Whether a summary of all items says more than the output. */
function isSummed({ operation, plans }: Work): boolean {
	const isSynced = plans.some((plan) => 'synced' in plan && plan.synced !== undefined);
	return operation.ensure !== undefined || isSynced || plans.some(isDryRun);
}

const dryRunOfSync = 'A dry run does not look up what earlier runs have written';

/** Whether the real run would skip what an earlier one has written. */
function isSyncShown({ operation: { ensure, writes }, plans }: Work): boolean {
	if (ensure || !writes?.synced) return false;
	return plans.some(
		(plan) => plan.kind === 'preview' && writes.synced?.(plan.values, plan.request),
	);
}

function describeWaiting({ waitedSeconds }: Summary): string | undefined {
	if (waitedSeconds === 0) return undefined;
	return `Waited ${waitedSeconds} ${waitedSeconds === 1 ? 'second' : 'seconds'} for the rate limit`;
}

/** n8n's editor itself points to Execute Once for these. */
const knownToEditor = ['getAll', 'getMany', 'read', 'search'];

/** With Execute Once, only what the first item asks for would be read. So all values count, such as the limit. */
function describeRepetition({ plans, operation }: Work, results: ItemResult[]): string | undefined {
	if (knownToEditor.includes(operation.option.value)) return undefined;
	const isRead = (plan: Plan) => isValid(plan) && plan.request.method === 'GET';
	if (!plans.every(isRead)) return undefined;
	const first = describeAsked(plans[0]);
	if (plans.some((plan) => describeAsked(plan) !== first)) return undefined;
	const read = results.filter(({ status }) => status === 'done').length;
	if (read < 2) return undefined;
	return `The same data was read ${read} times, once per item. To read it once, turn on Execute Once in the node's settings.`;
}

function describeAsked(plan: Plan | undefined): string | undefined {
	return plan && isValid(plan) ? JSON.stringify([plan.request, plan.values]) : undefined;
}
