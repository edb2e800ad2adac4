import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { writeCanonical } from '../../../nodes/runtime/canonical.ts';
import { isUncertain } from './faults.mts';
import { findOperation, isWriteName, lists, type Wanted, writes } from './operations.mts';
import type { WriteOperation } from './operations.mts';
import type { Event, Play } from './play.mts';
import { withoutEnds } from './texts.mts';

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
	events: Event[];
	/** Of the executions before. */
	earlier: Event[];
}

/** A play, in the terms that the invariants are stated in. */
export interface Evidence extends Play {
	/** The fields of what was written; undefined for a list. */
	write?: WriteOperation;
	groups: Group[];
	/** Events that no item asked for. */
	strays: Event[];
	/** The label of what is wrong with each item, where something is. */
	flaws: Array<string | undefined>;
	/** What came out for each item. */
	records: IDataObject[][];
	failures: Array<Failure | undefined>;
	/** What stopped the run. */
	stop?: Failure;
}

export function gather(played: Play): Evidence {
	const { scenario, events, earlier, result } = played;
	const operation = findOperation(scenario.operation);
	const flaws = scenario.items.map((item) => operation.names(item, scenario.list));
	const groups = new Map<string, Group>();
	for (const [index, item] of scenario.items.entries()) {
		if (flaws[index]) continue;
		const wanted = operation.wanted(item);
		const group = groups.get(nameWanted(wanted)) ?? { wanted, items: [], events: [], earlier: [] };
		group.items.push(index);
		groups.set(nameWanted(wanted), group);
	}
	const strays: Event[] = [];
	for (const event of earlier) groups.get(nameEvent(event))?.earlier.push(event);
	for (const event of events) (groups.get(nameEvent(event))?.events ?? strays).push(event);
	const all = [...result.output, ...result.errors];
	const of = (item: number) => all.filter((each) => itemOf(each) === item);
	return {
		...played,
		write: isWriteName(scenario.operation) ? writes[scenario.operation] : undefined,
		groups: [...groups.values()],
		strays,
		flaws,
		records: scenario.items.map((_, item) => {
			const good = of(item).filter(({ json }) => !isFailure(json));
			const isFile = scenario.list.outputAs === 'jsonl' && isListOfPages(scenario);
			return isFile ? good.flatMap(readFile) : good.map(({ json }) => json);
		}),
		failures: scenario.items.map((_, item) => {
			const failed = of(item).find(({ json }) => isFailure(json));
			return failed && readErrorItem(failed.json, item);
		}),
		stop: result.error && readError(result.error),
	};
}

/** The records of a list that became a file, or the item that should have been one. */
function readFile({ json, binary }: INodeExecutionData): IDataObject[] {
	if (!binary) return [json];
	const lines = Buffer.from(binary.data.data, 'base64').toString().split('\n').slice(0, -1);
	// A file that says another number of records is none of them.
	if (lines.length !== json.records) return [json];
	return lines.map((line) => JSON.parse(line) as IDataObject);
}

export function itemOf({ pairedItem }: INodeExecutionData): number | undefined {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : undefined;
}

/** The key that was sent, if one was. */
export function keyOf({ request }: Event): unknown {
	return (request.body as IDataObject | undefined)?.idempotencyKey;
}

export function statusOf({ reply }: Event): number | undefined {
	return reply && 'status' in reply ? reply.status : undefined;
}

/** The service did the work and its answer arrived. */
export function isConfirmed(event: Event): boolean {
	const status = statusOf(event) ?? 0;
	return event.fault === undefined && status >= 200 && status < 300;
}

/** The client cannot know whether it was written. */
export function isInDoubt({ fault }: Event): boolean {
	return fault !== undefined && isUncertain(fault);
}

export function mayBeWritten(event: Event): boolean {
	return isConfirmed(event) || isInDoubt(event);
}

/** The service itself refused the request, without a fault of the script. */
export function isRefused(event: Event): boolean {
	return event.fault === undefined && !isConfirmed(event);
}

/** Records that an item wants at most. */
export function countWanted({ scenario }: Play, item: number): number {
	const { list, operation } = scenario;
	if (list.returnAll && operation !== 'page.search') return Infinity;
	return list.limit + scenario.items[item].number;
}

export const isListOfPages = ({ operation }: Play['scenario']): boolean =>
	!isWriteName(operation) && lists[operation].pages;

function nameWanted({ method, path, body }: Wanted): string {
	return `${method} ${path} ${writeCanonical(body)}`;
}

function nameEvent({ request }: Event): string {
	const { method, path, body } = request;
	if (body === undefined || body === null) return nameWanted({ method, path });
	const { idempotencyKey: _, ...rest } = body as IDataObject;
	return nameWanted({ method, path, body: withoutEnds(rest) });
}

/** The model has no record with a field of this name. */
function isFailure(json: IDataObject): boolean {
	return json.error !== undefined;
}

function readErrorItem({ error, details }: IDataObject, item: number): Failure {
	const { description } = (details ?? {}) as IDataObject;
	return {
		...readDetails(details),
		message: String(error),
		description: String(description ?? ''),
		item,
	};
}

function readError(error: NonNullable<Play['result']['error']>): Failure {
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
