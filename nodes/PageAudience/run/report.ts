import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { describeError } from '../../nodeErrors';
import { groupBy } from '../../runtime/groupBy';
import { mostRemembered } from '../ledger/nodeStore';
import { looksFirst, outcomeWords, type WriteOutcome } from '../operation/operation';
import { joinMessages, nameItems, writeCount } from './messages';
import type { ItemResult, PlannedItem, Run } from './model';

const allOutcomes = Object.keys(outcomeWords) as WriteOutcome[];

/** Failures in a report; more are only counted. */
export const mostFailures = 100;

export interface ItemFailure {
	item: number;
	error: unknown;
}

/** What became of all items. The hint and the report both say it. */
export interface Summary {
	counts: Map<WriteOutcome, number>;
	failed: ItemFailure[];
	/** The items that went out without a value. */
	leftOut: PlannedItem[];
	/** How long the run waited for the service to accept requests. */
	waitedSeconds: number;
}

export function summarize({ opened, plans }: Run, results: readonly ItemResult[]): Summary {
	const counts: Summary['counts'] = new Map();
	const failed: ItemFailure[] = [];
	const leftOut: PlannedItem[] = [];
	for (const [item, result] of results.entries()) {
		if (result.status === 'failed') failed.push({ item, error: result.error });
		if (result.status !== 'done') continue;
		const plan = plans[item];
		if (plan && !(plan instanceof Error) && plan.leftOut.length > 0) leftOut.push(plan);
		const { outcome } = result.value;
		if (outcome) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	}
	// The difference of two moments may be a hair more than the whole second that was waited.
	const heldBackMs = Math.round(opened?.client.heldBackMs() ?? 0);
	return { counts, failed, leftOut, waitedSeconds: Math.ceil(heldBackMs / 1000) };
}

/** What a person should know of the run beside its output. */
export function describeRun(run: Run, summary: Summary): string[] {
	const { operation, options, plans, opened } = run;
	const { failure, isFull } = opened?.ledger.node?.trouble ?? {};
	const { leftOut, waitedSeconds } = summary;
	const isSynced = plans.some((plan) => !(plan instanceof Error) && plan.synced !== undefined);
	const isSummed = operation.writes && (options.dryRun || looksFirst(operation) || isSynced);
	const messages = [
		isSummed && !run.execution.isTool && describeSummary(run, summary),
		...describeLeftOut(leftOut),
		isSynced &&
			options.dryRun &&
			'The dry run also shows records that earlier runs have sent and a real run would skip',
		failure !== undefined &&
			`n8n failed to look up or remember some records, so they are resent with the same keys: ${String(failure)}`,
		isFull &&
			`This node can remember ${writeCount(mostRemembered)} versions of records. There were more, so it forgot them all, and the next run sends every record again, with the same keys. Split the records among several nodes.`,
		waitedSeconds > 0 &&
			`Waited ${waitedSeconds} ${waitedSeconds === 1 ? 'second' : 'seconds'} for the service to accept requests`,
	];
	return messages.filter((message) => typeof message === 'string');
}

/** Reasons in a message; more are only counted. */
const mostReasons = 3;

/** One message for each field, e.g. `Person > Phone Number of 2 items was left out: "asdf" is a placeholder [items 0 and 3]`. */
function describeLeftOut(plans: readonly PlannedItem[]): string[] {
	const all = plans.flatMap(({ leftOut, item }) => leftOut.map((each) => ({ ...each, item })));
	return [...groupBy(all, ({ parameter }) => parameter)].map(([parameter, some]) => {
		const items = some.length === 1 ? '1 item' : `${writeCount(some.length)} items`;
		const reasons = joinMessages([...new Set(some.map(({ message }) => message))], mostReasons);
		return `${parameter} of ${items} was left out: ${reasons} [${nameItems(some.map(({ item }) => item))}]`;
	});
}

/** E.g. "12 created, 4,870 found, 8 failed (items 3, 7 and 9, counted from 0)": all that matters in one line. */
function describeSummary({ options, plans }: Run, { counts, failed }: Summary): string {
	const parts = allOutcomes.flatMap((outcome) => {
		const count = counts.get(outcome);
		return count === undefined ? [] : [`${writeCount(count)} ${outcomeWords[outcome]}`];
	});
	if (failed.length > 0) {
		const names =
			failed.length < plans.length ? ` (${nameItems(failed.map(({ item }) => item))})` : '';
		parts.push(`${writeCount(failed.length)} failed${names}`);
	}
	const isDry = options.dryRun && failed.length < plans.length;
	return `${isDry ? 'Dry run, nothing was changed: ' : ''}${parts.join(', ') || 'no items'}`;
}

/** The one item that Options > Report outputs in place of the output of all input items. */
export function makeReport(
	run: Run,
	results: readonly ItemResult[],
	{ counts, failed, leftOut, waitedSeconds }: Summary,
): INodeExecutionData {
	const { dryRun } = run.options;
	const { outcomes = ['written'] } = run.operation.writes ?? {};
	const shown = [...(dryRun ? [] : outcomes), ...counts.keys()];
	const counted = allOutcomes
		.filter((outcome) => shown.includes(outcome))
		.map((outcome) => [outcome, counts.get(outcome) ?? 0]);
	return {
		json: {
			...(dryRun && { dryRun: true }),
			total: results.length,
			...Object.fromEntries(counted),
			failed: failed.length,
			...(run.operation.output?.adds?.leftOut && { leftOut: leftOut.length }),
			waitedSeconds,
			failures: failed.slice(0, mostFailures).map((each) => describeFailure(run, each)),
			moreFailures: Math.max(0, failed.length - mostFailures),
		},
		pairedItem: results.map((_, item) => ({ item })),
	};
}

function describeFailure({ context, operation }: Run, { item, error }: ItemFailure): IDataObject {
	const { writes } = operation;
	const { message, details } = describeError(error);
	const recordId = writes?.identifiedBy && readIdentifier(context, writes.identifiedBy, item);
	return { item, ...(recordId && { recordId }), message, maybeDone: details.maybeDone === true };
}

/** Of an invalid item, too, whose other values could not be read. */
function readIdentifier(
	context: IExecuteFunctions,
	path: string,
	item: number,
): string | undefined {
	try {
		return String(context.getNodeParameter(path, item, '')).trim();
	} catch {
		return undefined;
	}
}
