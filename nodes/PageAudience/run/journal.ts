import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { DescribedError, describeEndpoint, leavesDoubt } from '../../api/errors';
import { type ApiRequest, isRepeatable } from '../../api/request';
import { hashContent } from '../../runtime/canonical';
import type { CommonValues, Execution, Journal, PlannedItem } from './model';

/** What one item wrote: what it returned or, while its result is unknown, what it sent. */
type JournalEntry =
	| { records: IDataObject[] }
	| { request: ApiRequest; values: CommonValues; executionId: string; existed: boolean };

/** @param target the operation and the service. The API key may be replaced before a Retry */
export function openJournal(
	context: Pick<IExecuteFunctions, 'getContext'>,
	{ id: executionId, isTool, runIndex }: Execution,
	target: string,
): Journal {
	const node = context.getContext('node');
	const runs = (node.writes ??= {}) as Record<string, Record<string, JournalEntry>>;
	// n8n counts every attempt of a tool call as a run of its own.
	const run = isTool ? 'tool' : runIndex;
	const entries = (runs[run] ??= {});
	return {
		find: (item) => {
			const entry = entries[`${item} ${target}`];
			return entry && ('records' in entry ? 'written' : 'in doubt');
		},
		forget: () => {
			if (!isTool) delete runs[run];
		},
		writeOnce: async (plan, looksFirst, send) => {
			const name = `${isTool ? hashCall(plan) : plan.item} ${target}`;
			const last = entries[name];
			if (last && 'records' in last) return last.records;
			// The message asks a person to look before a Retry. Retry On Fail starts by itself, and Create or Get looks itself.
			const isHarmless = looksFirst || !last || isRepeatable(last.request);
			const isSameExecution = last?.executionId === executionId;
			if (isSameExecution && !isHarmless) throw describeInDoubt(last.request, isTool);
			const { request, values } = last ?? plan;
			const attempt = {
				inDoubt: last !== undefined,
				existed: last?.existed ?? false,
				isRetried: last !== undefined && !isSameExecution,
			};
			const sending = send({ ...plan, request, values }, attempt);
			const records = await sending.catch((error: unknown) => {
				const { existed } = attempt;
				if (last || leavesDoubt(error)) entries[name] = { request, values, executionId, existed };
				throw error;
			});
			if (isTool) delete entries[name];
			else entries[name] = { records };
			return records;
		},
	};
}

function describeInDoubt(request: ApiRequest, isTool: boolean): DescribedError {
	return new DescribedError(
		'Not resent: an earlier attempt may have succeeded',
		isTool
			? 'Look for it. If it is missing, tell the user about it.'
			: 'Look for it in the service. If it is missing, choose Retry in the Executions tab, or run the workflow with this item.',
		{ endpoint: describeEndpoint(request), attempts: 0, maybeDone: true, repeated: false },
	);
}

/** Every call of a tool is item 0. A repeat of one that failed is the same write, whatever key it has now. */
function hashCall({ request: { method, path, query, body } }: PlannedItem): string {
	return hashContent([method, path, query, { ...body, idempotencyKey: '' }]);
}
