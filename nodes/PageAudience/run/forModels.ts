import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyCollection,
	ISupplyDataFunctions,
} from 'n8n-workflow';
import { DescribedError } from '../../api/errors';
import { ItemRefusedError, type Problem } from '../../parameters/problem';
import { labelOf } from '../../parameters/read';
import { isObject } from '../../runtime/unknown';
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
	saved: IDataObject,
	hint: (message: string) => void,
): ItemOutput {
	const readable = takeReadable(records);
	const isLong = readable.length < records.length;
	// A list that does not come in pages does not say whether it has more.
	const mayHaveMore = !isLong && !list && records.length === limit;
	if (!isLong && !list?.more && !mayHaveMore) return { records };
	const { totalCount = 0 } = list ?? {};
	const argument = returnAll ? undefined : findArgument(saved.limit);
	const count = writeCount(readable.length);
	const rest = mayHaveMore ? 'there may be more' : 'there are more';
	const parts = [
		totalCount > readable.length
			? `Not the whole list: the first ${count} of ${writeCount(totalCount)} records.`
			: `${mayHaveMore ? 'Maybe not' : 'Not'} the whole list: the first ${count}, and ${rest}.`,
		isLong ? 'All of them would be too long to read at once.' : '',
		!isLong && argument ? `To get more, raise ${argument}.` : '',
	];
	hint(parts.filter(Boolean).join(' '));
	return { records: readable };
}

/** What a model provides for the parameters of a tool, by their labels; undefined for one that the tool itself sets. */
export type Arguments = ReadonlyMap<string, string | undefined>;

/** @param saved the parameters in the workflow, with expressions unresolved */
export function listArguments(properties: INodeProperties[], saved: IDataObject): Arguments {
	return new Map(properties.flatMap((each) => list(each, saved[each.name], labelOf(each, true))));
}

function list(
	property: INodeProperties,
	saved: unknown,
	label: string,
): Array<[label: string, argument: string | undefined]> {
	const { type, options = [] } = property;
	const argument = findArgument(saved);
	if (argument !== undefined) return [[label, argument]];
	const listMembers = (members: INodeProperties[], given: unknown, place: string) =>
		members.flatMap((member) =>
			list(member, get(given, member.name), `${place} > ${member.displayName}`),
		);
	if (type === 'collection') return listMembers(options as INodeProperties[], saved, label);
	if (type !== 'fixedCollection') return [[label, undefined]];
	return (options as INodePropertyCollection[]).flatMap(({ name, displayName, values }) =>
		[get(saved, name) ?? []]
			.flat()
			.flatMap((row, i) => listMembers(values, row, `${label} > ${displayName} ${i + 1}`)),
	);
}

function get(given: unknown, name: string): unknown {
	return isObject(given) ? Reflect.get(given, name) : undefined;
}

/** The name under which the model provides a value: its only `$fromAI('name', …)`. */
function findArgument(saved: unknown): string | undefined {
	const text = isObject(saved) ? get(saved, 'value') : saved;
	const calls = typeof text === 'string' ? [...text.matchAll(/\$fromAI\(\s*["'`]([\w-]+)/gi)] : [];
	return calls.length === 1 ? calls[0]?.[1] : undefined;
}

/** With the names of arguments in place of labels, and without what only a person can do in n8n. */
export function addressProblems<T extends Problem>(problems: readonly T[], args: Arguments): T[] {
	return problems.map((problem) => {
		const { parameter, message, reason = message } = problem;
		return { ...problem, parameter: args.get(parameter) ?? parameter, message: reason };
	});
}

export function addressRefusal(error: Error, args: Arguments): Error {
	if (!(error instanceof ItemRefusedError)) return error;
	const { problems } = error;
	const isOfTool = problems.every(
		({ parameter }) => args.has(parameter) && args.get(parameter) === undefined,
	);
	const advice = isOfTool
		? 'The tool itself sets this, so tell the user about it.'
		: 'Correct this and call the tool again.';
	return new ItemRefusedError(addressProblems(problems, args), advice);
}
