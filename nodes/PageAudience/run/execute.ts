import type { IDataObject } from 'n8n-workflow';
import { hasStatus } from '../../api/errors';
import { type ApiRequest, type ApiResponse, type QueryValue, readKey } from '../../api/request';
import { readAll, startLimit } from '../../api/paginate';
import { readRecord } from '../../api/response';
import { copyMasked } from '../../api/triggerUrl';
import type { ItemContext } from '../operation/context';
import type { Operation, Outcome } from '../operation/operation';
import { addFields, finishRecord, valuesToAdd } from '../operation/output';
import { readList } from './list';
import type { PlannedItem } from './plan';
import type { ItemOutput, Run, State } from './state';

/** What one item does. */
export async function executeItem(run: Run, plan: PlannedItem): Promise<ItemOutput> {
	const { operation, options } = run;
	const state = await run.state.open();
	if (operation.paging) return await readList(run, state, plan, openCall(run, state, plan));
	if (operation.writes && !options.dryRun) return await writeOnce(run, state, plan);
	if (operation.writes && !operation.run)
		return { records: [previewRequest(plan.request)], outcome: 'wouldWrite' };
	const records = await perform(run, state, plan);
	// What a dry run would send is no record.
	if (operation.writes) return { records, outcome: readOutcome(operation, records) };
	return { records: finish(run, plan, records) };
}

/** Once within the execution, and once across executions. */
async function writeOnce(run: Run, state: State, plan: PlannedItem): Promise<ItemOutput> {
	const { operation, sync } = run;
	const { item, synced } = plan;
	const { memory } = state;
	// What this execution has written itself is left to `memory`, which returns the record.
	if (synced && memory.find(item) !== 'written' && sync.stateOf(item) === 'written')
		return { records: [synced.output], outcome: 'skipped' };
	const sending = memory.writeOnce(plan, operation.run !== undefined, async (first, isRepeat) => {
		const mayBeDone = isRepeat || sync.stateOf(item) === 'in doubt';
		const written = await perform(run, state, first, mayBeDone);
		// A Retry may have sent what the item was at first: only the key of today's version confirms that version.
		if (readKey(first.request) === readKey(plan.request)) sync.confirm(item);
		const added = valuesToAdd(operation, first.values, first.request);
		return written.map((record) => addFields(record, added));
	});
	await sending.catch((error: unknown) => sync.noteFailure(item, error));
	const records = await sending;
	const outcome = readOutcome(operation, records);
	return { records: finish(run, plan, records), outcome };
}

/** Sends the item's request, or does what the operation does in its place. */
async function perform(
	run: Run,
	state: State,
	plan: PlannedItem,
	mayBeDone = false,
): Promise<IDataObject[]> {
	const { operation, options } = run;
	const { values, request } = plan;
	if (operation.run) return await operation.run(values, openCall(run, state, plan, mayBeDone));
	const settings = { timeoutMs: options.timeout, maxRetries: options.maxRetries, mayBeDone };
	const hint = (message: string) => run.hints.add(message, plan.item);
	try {
		const response = await state.client.send(request, settings);
		const records = operation.records?.(response, values, hint) ?? [
			readRecord(response, operation.writes?.id),
		];
		// Limit holds even if the service returns more.
		return records.slice(0, values.limit);
	} catch (error) {
		return [takeStored(operation, plan, error, state.isRetry)];
	}
}

/**
 * What is returned in place of the record when the service refuses what an earlier attempt with the same key has done.
 * @throws the error, if it is anything else
 */
function takeStored(
	{ writes }: Operation,
	{ values, synced }: PlannedItem,
	error: unknown,
	isRetry: boolean,
): IDataObject {
	if (!writes?.alreadyStored || !hasStatus(error, 409)) throw error;
	if (error.details.repeated) return writes.alreadyStored(values);
	if (synced) error.description += ` ${adviceForConflict}`;
	else if (isRetry) error.description += ` ${adviceForRetry}`;
	throw error;
}

/** After a crash, n8n knows nothing of what was sent. Another record may stand against this one, so it is no success. */
const adviceForRetry =
	"An earlier try of this execution may have written this item. Check in the service whether it exists. To send the items behind it, set On Error to 'Continue (using error output)' in the node's Settings tab, save, and choose Retry with currently saved workflow.";

/** What this node remembers belongs to one API key. A key of the record may have been sent with another one. */
const adviceForConflict =
	'If another API key, node or workflow wrote this record before, the service may reject the repeat. Check in the service whether the record exists. If so, remove the record from the input.';

/** Only an operation with a `run` of its own has several, and its record names its own. */
function readOutcome({ writes, run }: Operation, [record]: IDataObject[]): Outcome {
	const named = run && record?.outcome;
	const known: readonly unknown[] = ['wouldCreate', 'wouldUpdate', ...(writes?.outcomes ?? [])];
	return known.includes(named) ? (named as Outcome) : 'written';
}

function finish({ operation, execution }: Run, plan: PlannedItem, records: IDataObject[]) {
	const { values, request } = plan;
	return records.map((record) =>
		finishRecord(record, operation, values, request, execution.isTool),
	);
}

/** What an item would send. `null` where nothing would be sent. */
function previewRequest(request: ApiRequest | undefined): IDataObject {
	if (!request) return { dryRun: true, request: null };
	const { method, path, query = {}, body } = request;
	return {
		dryRun: true,
		request: {
			method,
			path: `/v0${path}`,
			query,
			body: body === undefined ? null : copyMasked(body),
		},
	};
}

function openCall(run: Run, state: State, plan: PlannedItem, inDoubt = false): ItemContext {
	const { options, hints, signal: cancelled } = run;
	const { client, limits, shared, all, zone, webhooks } = state;
	const { request, changes, json } = plan;
	const settings = { timeoutMs: options.timeout, maxRetries: options.maxRetries };
	const send = async (each: ApiRequest, signal = cancelled) =>
		await client.send(each, { ...settings, signal });
	return {
		...{ all, request, changes, json, zone, webhooks, inDoubt },
		maxRetries: options.maxRetries,
		isDryRun: options.dryRun,
		preview: previewRequest,
		send: async (each) => await send(each),
		sendAll: async (requests) => await sendAll(requests, send, cancelled),
		readList: async (list, { largest, onRecords } = {}) => {
			const accepted = limits.get(list.path) ?? startLimit(largest);
			limits.set(list.path, accepted);
			const fetchPage = async (query: Record<string, QueryValue>) =>
				await send({ ...list, query: { ...list.query, ...query } });
			return await readAll({ paging: 'cursor', wanted: Infinity, accepted, fetchPage }, onRecords);
		},
		once: <T>(name: string, make: () => T): T => {
			if (!shared.has(name)) shared.set(name, make());
			return shared.get(name) as T;
		},
		wait: async (ms) => await client.wait(ms),
		hint: (message) => hints.add(message, plan.item),
	};
}

async function sendAll(
	requests: ApiRequest[],
	send: (request: ApiRequest, signal: AbortSignal) => Promise<ApiResponse>,
	cancelled?: AbortSignal,
): Promise<ApiResponse[]> {
	const failed = new AbortController();
	const signal = cancelled ? AbortSignal.any([cancelled, failed.signal]) : failed.signal;
	const sending = requests.map(async (request) => {
		try {
			return await send(request, signal);
		} catch (error) {
			failed.abort(error);
			throw signal.reason;
		}
	});
	// All of them, so that none is left over beside the requests of the node's next run.
	await Promise.allSettled(sending);
	return await Promise.all(sending);
}
