import { Yielder } from '../../runtime/eventLoop';
import { nameItems } from './messages';
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
	const { context, hints, execution, operation, synced } = work;
	const yielder = new Yielder();
	if (!execution.isTool && isSummed(work))
		hints.add('summary', describeSummary(summary, results.length));
	hints.add('kept', describeKept(work));
	for (const limit of synced.describeLimits()) hints.add('remembering', limit);
	await yielder.yieldToEventLoop();
	const client = await work.findClient();
	hints.add('exposed', describeExposure(client?.exposedAt));
	hints.add('waiting', describeWaiting(summary));
	if (!operation.readsOnce) hints.add('repetition', describeRepetition(work, results));
	hints.show(context, results.length);
}

/** Whether a summary of all items says more than the output. */
function isSummed({ operation, plans }: Work): boolean {
	const isSynced = plans.some((plan) => 'synced' in plan && plan.synced !== undefined);
	return operation.ensure !== undefined || isSynced || plans.some(isDryRun);
}

/** Retry of a corrected workflow, and a time in an expression, give an item other values than it was sent with. */
function describeKept({ plans, execution }: Work): string | undefined {
	const kept = plans.flatMap((plan, item) => ('isKept' in plan && plan.isKept ? [item] : []));
	if (kept.length === 0 || execution.isTool) return undefined;
	const [is, items] = kept.length === 1 ? ['was', '1 item'] : ['were', `${kept.length} items`];
	return `${items} ${is} sent before with other values, which were kept (${nameItems(kept)})`;
}

function describeExposure(origin: string | undefined): string | undefined {
	return (
		origin &&
		`The API key was sent to ${origin} without encryption. Use https:// in the Base URL of the credential.`
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
