import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { originOf } from '../engine.mts';
import { judgeFault } from './faults.mts';
import {
	findOperation,
	isWriteName,
	type Wanted,
	type WriteOperation,
	writes,
} from './operations.mts';
import { type Trace, type TracedExchange, withoutEnds } from './runScenario.mts';
import { hasPages, isFlawed } from './scenario.mts';

/** What a failed item tells. */
export interface Failure {
	message: string;
	description: string;
	/** Undefined where the failure names no item. */
	item?: number;
	status?: number;
	code?: string;
	maybeDone?: boolean;
}

/** Good items that ask for the same, and what was sent for them. */
export interface Group {
	wanted: Wanted;
	items: number[];
	exchanges: TracedExchange[];
	/** Of the executions before. */
	earlier: TracedExchange[];
}

/** A play, in the terms that the invariants are stated in. */
export interface Analysis extends Trace {
	/** The fields of what was written; undefined for a list. */
	write?: WriteOperation;
	groups: Group[];
	/** Exchanges that no item asked for. */
	strays: TracedExchange[];
	/** The label of what is wrong with each item, where something is. */
	flaws: Array<string | undefined>;
	/** What came out for each item. */
	records: IDataObject[][];
	failures: Array<Failure | undefined>;
	/** What stopped the run. */
	stop?: Failure;
}

export function analyze(trace: Trace): Analysis {
	const { scenario, exchanges, earlier, result } = trace;
	const { items, operation: name } = scenario;
	const operation = findOperation(name);
	const flaws = items.map((item) => (isFlawed(scenario, item) ? operation.label : undefined));
	const groups: Group[] = [];
	for (const [item, choice] of items.entries()) {
		if (flaws[item]) continue;
		const wanted = operation.wanted(choice);
		const group = groups.find((other) => isDeepStrictEqual(other.wanted, wanted));
		if (group) group.items.push(item);
		else groups.push({ wanted, items: [item], exchanges: [], earlier: [] });
	}
	const groupOf = (exchange: TracedExchange) =>
		groups.find(({ wanted }) => isFor(wanted, exchange.request));
	for (const exchange of earlier) groupOf(exchange)?.earlier.push(exchange);
	const strays: TracedExchange[] = [];
	for (const exchange of exchanges) (groupOf(exchange)?.exchanges ?? strays).push(exchange);
	const all = [...result.output, ...result.errors];
	const isFile = hasPages(scenario) && scenario.list.isFile;
	return {
		...trace,
		write: isWriteName(name) ? writes[name] : undefined,
		groups,
		strays,
		flaws,
		records: items.map((_, item) => {
			const good = all.filter((each) => originOf(each) === item && !isFailure(each));
			return isFile ? good.flatMap(readFile) : good.map(({ json }) => json);
		}),
		failures: items.map((_, item) => {
			const failed = all.find((each) => originOf(each) === item && isFailure(each));
			return failed && readErrorItem(failed.json, item);
		}),
		stop: result.error && readError(result.error),
	};
}

/** No record has a field of this name. */
export function isFailure({ json }: INodeExecutionData): boolean {
	return json.error !== undefined;
}

/** The records of a list that became a file, or the item that should have been one. */
function readFile({ json, binary }: INodeExecutionData): IDataObject[] {
	if (!binary) return [json];
	const lines = Buffer.from(binary.data.data, 'base64').toString().split('\n').slice(0, -1);
	// A file that says another number of records is none of them.
	if (lines.length !== json.records) return [json];
	return lines.map((line) => JSON.parse(line) as IDataObject);
}

/** Whether a request, or what the service did for it, is what an item asks for. */
export function isFor(
	{ method, path, body = {} }: Wanted,
	sent: { method: string; path: string; body: unknown },
): boolean {
	const { idempotencyKey: _, ...rest } = (sent.body ?? {}) as IDataObject;
	return (
		sent.method === method &&
		sent.path === path &&
		isDeepStrictEqual(withoutEnds(rest), withoutEnds(body))
	);
}

/** The key that was sent, if one was. */
export function keyOf({ request }: TracedExchange): unknown {
	return (request.body as IDataObject | undefined)?.idempotencyKey;
}

export function statusOf({ reply }: TracedExchange): number | undefined {
	return reply && 'status' in reply ? reply.status : undefined;
}

/** The service did the work and its answer arrived. */
export function isConfirmed(exchange: TracedExchange): boolean {
	const status = statusOf(exchange) ?? 0;
	return exchange.fault === undefined && status >= 200 && status < 300;
}

/** The client cannot know whether it was written. */
export function isInDoubt({ fault }: TracedExchange): boolean {
	return fault !== undefined && judgeFault(fault) === 'in doubt';
}

export function mayBeWritten(exchange: TracedExchange): boolean {
	return isConfirmed(exchange) || isInDoubt(exchange);
}

/** The service itself refused the request, without a fault. */
export function isRefused(exchange: TracedExchange): boolean {
	return exchange.fault === undefined && !isConfirmed(exchange);
}

export function byTry(exchanges: TracedExchange[]): TracedExchange[][] {
	return Object.values(Object.groupBy(exchanges, (exchange) => exchange.try)).map(
		(own) => own ?? [],
	);
}

export const endOf = ({ endedAtMs = Infinity }: TracedExchange): number => endedAtMs;

function readErrorItem({ error, details }: IDataObject, item: number): Failure {
	const { description } = (details ?? {}) as IDataObject;
	return {
		...readDetails(details),
		message: String(error),
		description: String(description ?? ''),
		item,
	};
}

function readError(error: NonNullable<Trace['result']['error']>): Failure {
	const { message, description, context } = error;
	// Of several invalid items, the first that the message names.
	const named =
		/\[items? (\d+)/.exec(message)?.[1] ?? (/\[all \d+ items\]/.test(message) ? 0 : undefined);
	const index: unknown = context?.itemIndex ?? named;
	const item = index === undefined ? undefined : Number(index);
	return { ...readDetails(context?.data), message, description: description ?? '', item };
}

function readDetails(details: unknown): Pick<Failure, 'status' | 'code' | 'maybeDone'> {
	const { status, code, maybeDone } = (details ?? {}) as Partial<Failure>;
	return { status, code, maybeDone };
}
