import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { linkedTo } from '../engine.mts';
import {
	findOperation,
	isWriteName,
	type Wanted,
	type WriteOperation,
	writes,
} from './operations.mts';
import type { Trace } from './runScenario.mts';
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

export type Group = Analysis['groups'][number];

/** A run, in the terms that the invariants are stated in. */
export type Analysis = ReturnType<typeof analyze>;

export function analyze(trace: Trace) {
	const { scenario, result } = trace;
	const { items, operation: name } = scenario;
	const operation = findOperation(name);
	// The label of what is wrong with each item, where something is.
	const flaws = items.map((item) => (isFlawed(scenario, item) ? operation.label : undefined));
	const good = [...items.keys()].filter((item) => flaws[item] === undefined);
	const itemsBy = Map.groupBy(good, (item) => nameWork(operation.wanted(items[item])));
	const earlierBy = Map.groupBy(trace.earlier, ({ request }) => nameWork(request));
	const exchangesBy = Map.groupBy(trace.exchanges, ({ request }) => nameWork(request));
	// Good items that ask for the same, and what was sent and done for them.
	const groups = [...itemsBy].map(([work, own]) => {
		const [earlier, exchanges] = [earlierBy, exchangesBy].map((by) => by.get(work) ?? []);
		return {
			wanted: operation.wanted(items[own[0]]),
			items: own,
			earlier,
			exchanges,
			sent: [...earlier, ...exchanges],
			works: trace.works.filter((each) => nameWork(each) === work),
		};
	});
	const write: WriteOperation | undefined = isWriteName(name) ? writes[name] : undefined;
	const cameFor = items.map((_, item) => linkedTo([...result.output, ...result.errors], item));
	return {
		...trace,
		/** The fields of what was written; undefined for a list. */
		write,
		flaws,
		groups,
		/** Exchanges that no item asked for. */
		strays: trace.exchanges.filter(({ request }) => !itemsBy.has(nameWork(request))),
		/** The exchanges of each time that n8n ran the node. */
		tries: [...Map.groupBy(trace.exchanges, (exchange) => exchange.try).values()],
		/** What came out for each item. */
		records: cameFor.map((came) => {
			const good = came.filter((each) => !isFailure(each));
			const isFile = hasPages(scenario) && scenario.list.isFile;
			return isFile ? good.flatMap(readFile) : good.map(({ json }) => json);
		}),
		failures: cameFor.map((came, item) => {
			const failed = came.find(isFailure);
			return failed && readFailure(failed.json, item);
		}),
		/** What stopped the run. */
		stop: result.error && readError(result.error),
	};
}

/** No record has a field of this name. */
export function isFailure({ json }: INodeExecutionData): boolean {
	return json.error !== undefined;
}

/** The records of a list that became a file, or the item that should have been one. */
export function readFile({ json, binary }: INodeExecutionData): IDataObject[] {
	if (!binary) return [json];
	const lines = Buffer.from(binary.data.data, 'base64').toString().split('\n').slice(0, -1);
	// A file that says another number of records is none of them.
	if (lines.length !== json.records) return [json];
	return lines.map((line) => JSON.parse(line) as IDataObject);
}

/** What an item asks for, a request is for, or the service did: one text for one thing, whatever its key and its ends. */
function nameWork({ method, path, body }: Pick<Wanted, 'method' | 'path'> & { body?: unknown }) {
	const { idempotencyKey: _, ...rest } = (body ?? {}) as IDataObject;
	const text = JSON.stringify([method, path, Object.entries(rest).sort()]);
	return text.replace(/~[\w.+-]*(?=[@"])/g, '');
}

function readFailure({ error, details }: IDataObject, item?: number): Failure {
	const { description, status, code, maybeDone } = (details ?? {}) as Partial<Failure>;
	return { message: String(error), description: description ?? '', item, status, code, maybeDone };
}

function readError({ message, description, context }: NonNullable<Trace['result']['error']>) {
	// Of several invalid items, the first that the message names.
	const named =
		/\[items? (\d+)/.exec(message)?.[1] ?? (/\[all \d+ items\]/.test(message) ? 0 : undefined);
	const index: unknown = context?.itemIndex ?? named;
	const details = { ...(context?.data as IDataObject | undefined), description };
	return readFailure({ error: message, details }, index === undefined ? undefined : Number(index));
}
