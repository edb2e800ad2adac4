import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';
import { DescribedError } from '../../api/errors';
import { ItemRefusedError, type Problem } from '../../parameters/problem';
import { writeCount } from './messages';
import type { ItemOutput, PlannedItem } from './model';

/*
 * What differs where a model reads the output. It sees the output or the message of an error, but no hints and no panel.
 */

/**
 * Version 2 of n8n's agent opens a tool for each item of a batch, and all of them read the values of its next run: those
 * of the item that comes first. Called before anything waits, so that the newest run is the one of this call.
 * @returns why a call must not send the values that it has
 */
export function findMixUp(
	context: IExecuteFunctions & Partial<Pick<ISupplyDataFunctions, 'getNextRunIndex'>>,
): Error | undefined {
	const newestRun = (context.getNextRunIndex?.() ?? 0) - 1;
	if (newestRun <= Number(context.getWorkflowDataProxy(0).$runIndex)) return undefined;
	return new DescribedError(
		'n8n gave this call the values of another item, because the agent works on several at once',
		'The user has to set Options > Batch Processing > Batch Size of the agent to 1, or replace it with a newer AI Agent node.',
	);
}

/**
 * About 20,000 tokens: clients of MCP servers take 25,000 from one call, and a model that holds 128,000 has room for
 * several.
 */
const mostCharacters = 50_000;

/** The records that a model can read at once, and at least one. */
export function takeReadable(records: IDataObject[]): IDataObject[] {
	let left = mostCharacters;
	const end = records.findIndex((record) => (left -= JSON.stringify(record).length) < 0);
	return end < 0 ? records : records.slice(0, Math.max(end, 1));
}

/** The output as far as a model can read it. It is told where records are missing: otherwise, it takes a part for the whole. */
export function fitForModel(
	{ records, list }: ItemOutput,
	{ values: { returnAll, limit } }: PlannedItem,
	hint: (message: string) => void,
): ItemOutput {
	const readable = takeReadable(records);
	const isLong = readable.length < records.length;
	// A list that does not come in pages does not say whether it has more.
	const mayHaveMore = !isLong && !list && records.length === limit;
	if (!isLong && !list?.more && !mayHaveMore) return { records };
	const { totalCount = 0 } = list ?? {};
	const count = writeCount(readable.length);
	const rest = mayHaveMore ? 'there may be more' : 'there are more';
	const parts = [
		totalCount > readable.length
			? `Not the whole list: the first ${count} of ${writeCount(totalCount)} records.`
			: `${mayHaveMore ? 'Maybe not' : 'Not'} the whole list: the first ${count}, and ${rest}.`,
		isLong ? 'All of them would be too long to read at once.' : '',
		!isLong && !returnAll ? 'To get more, raise the limit.' : '',
	];
	hint(parts.filter(Boolean).join(' '));
	return { records: readable };
}

/** A refusal without what only a person can do in n8n. */
export function addressRefusal(error: Error): Error {
	if (!(error instanceof ItemRefusedError)) return error;
	const problems = error.problems.map(withReasonAlone);
	return new ItemRefusedError(problems, 'Correct this and call the tool again.');
}

export function withReasonAlone<T extends Problem>(problem: T): T {
	return { ...problem, message: problem.reason ?? problem.message };
}
