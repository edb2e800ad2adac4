import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { describeError } from '../../errors';
import type { Operation } from '../operation/operation';
import type { ItemResult } from './result';
import { type Outcome, outcomes } from './outcome';
import type { Summary } from './summary';
import type { Work } from './work';

/** Failures in a report; more are only counted. */
const mostFailures = 100;

/** The one item that Options > Report outputs in place of those of all input items. */
export function makeReport(
	work: Work,
	results: ItemResult[],
	{ counts, failed, isDryRun, waitedSeconds }: Summary,
): INodeExecutionData {
	const shown = [...listOutcomes(work.operation, isDryRun), ...counts.keys()];
	const counted = outcomes
		.filter((outcome) => shown.includes(outcome))
		.map((outcome) => [outcome, counts.get(outcome) ?? 0]);
	return {
		json: {
			...(isDryRun && { dryRun: true }),
			total: results.length,
			...Object.fromEntries(counted),
			failed: failed.length,
			waitedSeconds,
			failures: failed
				.slice(0, mostFailures)
				.map((item) => describeFailure(work, results[item], item)),
			moreFailures: Math.max(0, failed.length - mostFailures),
		},
		pairedItem: results.map((_, item) => ({ item })),
	};
}

/** Those that items of the operation can have: a count of none is in the report, too. */
function listOutcomes(operation: Operation, isDryRun: boolean): Outcome[] {
	if (operation.ensure?.update)
		return isDryRun
			? ['wouldCreate', 'wouldUpdate', 'unchanged']
			: ['created', 'updated', 'unchanged'];
	if (operation.ensure) return [isDryRun ? 'wouldCreate' : 'created', 'found'];
	const written = isDryRun ? 'wouldWrite' : 'written';
	return skipsRecords(operation) && !isDryRun ? [written, 'skipped'] : [written];
}

function skipsRecords({ ensure, writes }: Operation): boolean {
	return !ensure && writes?.synced !== undefined;
}

function describeFailure(
	{ context, operation }: Work,
	result: ItemResult | undefined,
	item: number,
): IDataObject {
	const error = result?.status === 'failed' ? result.error : undefined;
	const { message, details } = describeError(error);
	const recordId = skipsRecords(operation) ? readRecordId(context, item) : undefined;
	return { item, ...(recordId && { recordId }), message, maybeDone: details.maybeDone === true };
}

/** Of an invalid item, too, whose other values could not be read. */
function readRecordId(context: IExecuteFunctions, item: number): string | undefined {
	try {
		return String(context.getNodeParameter('recordId', item, '')).trim();
	} catch {
		return undefined;
	}
}
