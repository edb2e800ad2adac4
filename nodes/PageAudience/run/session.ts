import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ApiClient } from '../../api/client';
import { readConnection } from '../../api/connection';
import { DescribedError } from '../../api/errors';
import { askWebhook, readWebhookBase } from '../../api/ownWebhooks';
import { pageFetcher, readAll, startLimit } from '../../api/paginate';
import type { ApiRequest, ApiResponse } from '../../api/request';
import { copyMasked } from '../../api/triggerUrl';
import { runTasks, takeValues } from '../../runtime/runTasks';
import type { RunContext } from '../operation/context';
import { Memory } from './memory';
import type { Run } from './plan';
import { Sync } from './sync';

export interface Session {
	client: ApiClient;
	/** For hiding it in messages. */
	apiKey: string;
	send: (request: ApiRequest, inDoubt?: boolean) => Promise<ApiResponse>;
	/** What this run and earlier ones of the execution have written. */
	memory: Memory;
	/** What earlier executions have written. */
	sync: Sync;
	context: RunContext;
}

/** @throws {RangeError | DescribedError} when the credential cannot be used */
export async function openSession(run: Run): Promise<Session> {
	const { context, name, execution, options, plans, signal } = run;
	const { concurrency, requestsPerSecond, timeout: timeoutMs, maxRetries, dryRun } = options;
	const connection = await readConnection(context);
	await refuseChanging(context, connection.identity);
	const client = new ApiClient(context, connection, { concurrency, requestsPerSecond, signal });
	const send: Session['send'] = async (request, inDoubt = false) =>
		await client.send(request, { timeoutMs, maxRetries, inDoubt });
	// A dry run does not look up what was written: that would record it.
	const keys = plans.map((plan) =>
		dryRun || plan instanceof Error ? undefined : plan.synced?.key,
	);
	return {
		client,
		apiKey: connection.apiKey,
		send,
		memory: new Memory(context, execution, `${name} ${connection.baseUrl}`),
		sync: new Sync(context, connection.identity, keys),
		context: openContext(run, client, send),
	};
}

/**
 * n8n takes milliseconds to read a credential. Most do not depend on the item, and then an item that does not exist has the
 * same one.
 */
async function refuseChanging(context: IExecuteFunctions, identity: string): Promise<void> {
	const { length: total } = context.getInputData();
	const isChanged = async (item: number) =>
		await readConnection(context, item).then(
			(connection) => connection.identity !== identity,
			() => true,
		);
	if (total === 1 || !(await isChanged(total))) return;
	for (let item = 1; item < total; item++)
		if (await isChanged(item))
			throw new DescribedError(
				`The credential has another Base URL or API key for item ${item} than for item 0`,
				'Nothing was sent. Process the items of each service and API key in a run of their own, for example with Loop Over Items and a Batch Size of 1.',
			);
}

function openContext(
	{ context, options, plans }: Run,
	client: ApiClient,
	send: RunContext['send'],
): RunContext {
	const made = new Map<string, unknown>();
	const once = <T>(name: string, make: () => T): T => {
		if (!made.has(name)) made.set(name, make());
		return made.get(name) as T;
	};
	return {
		all: plans.flatMap((plan) => (plan instanceof Error ? [] : [plan.values])),
		zone: context.getTimezone(),
		webhooks: {
			findBase: () => findWebhookBase(context),
			ask: async (href) => await askWebhook(context, href),
		},
		maxRetries: options.maxRetries,
		isDryRun: options.dryRun,
		preview: previewRequest,
		send,
		sendAll: async (requests) => {
			const tasks = requests.map((request) => ({
				locks: [],
				run: async () => await send(request),
			}));
			return takeValues(await runTasks(tasks, options.concurrency, () => false));
		},
		readList: async (request, { largest, onRecords } = {}) => {
			const accepted = once(`limit of ${request.path}`, () => startLimit(largest));
			const fetchPage = pageFetcher(request, send);
			return await readAll({ paging: 'cursor', wanted: Infinity, accepted, fetchPage }, onRecords);
		},
		once,
		wait: async (ms) => await client.wait(ms),
	};
}

function findWebhookBase(context: IExecuteFunctions): string | undefined {
	const $execution = context.getWorkflowDataProxy(0).$execution as { resumeUrl?: unknown };
	return readWebhookBase($execution.resumeUrl);
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
