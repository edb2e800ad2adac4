import type { IExecuteFunctions } from 'n8n-workflow';
import { openClient } from '../../api/client';
import { type Connection, readConnection } from '../../api/connection';
import { DescribedError } from '../../api/errors';
import { wait } from '../../api/pace';
import { readPages, startLimit } from '../../api/paginate';
import { readTenant } from '../../api/tenant';
import { runTasks } from '../../runtime/runTasks';
import { openExecutionStore } from '../ledger/executionStore';
import { openNodeStore } from '../ledger/nodeStore';
import { openProcessStore, type ProcessStore } from '../ledger/processStore';
import type { RunContext } from '../operation/operation';
import type { OpenedRun, Run } from './model';

/** @throws {DescribedError | RequestFailedError} where the credential changes, or the tenant cannot be told yet */
export async function openRun(run: Run, connection: Connection): Promise<OpenedRun> {
	const { context, name, options, plans, signal } = run;
	const { concurrency, requestsPerSecond, timeout: timeoutMs, maxRetries, dryRun } = options;
	await refuseChanging(context, connection.identity);
	const client = openClient(context, connection, { concurrency, requestsPerSecond, signal });
	const { baseUrl, identity } = connection;
	const send: RunContext['send'] = async (request, repeated = false) =>
		await client.send(request, { timeoutMs, maxRetries, repeated });
	// A dry run does not look up what was written: that would record it.
	const isSynced = !dryRun && plans.some((plan) => !(plan instanceof Error) && plan.synced);
	const node = isSynced
		? openNodeStore(context, (await readTenant(connection, send)) ?? identity)
		: undefined;
	const execution = openExecutionStore(context, run.execution, `${name} ${baseUrl}`);
	const processStore = openProcessStore(identity, dryRun);
	const runContext = openRunContext(run, send, processStore);
	return { client, ledger: { execution, node }, runContext, close: processStore.close };
}

/**
 * Refuses a credential that differs from item to item, by its expressions. Each reading takes n8n milliseconds, so one of
 * them tells first whether it depends on the items: then it also differs at the place behind the last item.
 */
async function refuseChanging(context: IExecuteFunctions, identity: string): Promise<void> {
	const { length: total } = context.getInputData();
	const isOther = async (item: number) =>
		await readConnection(context, item).then(
			(connection) => connection.identity !== identity,
			() => true,
		);
	if (total === 1 || !(await isOther(total))) return;
	for (let item = 1; item < total; item++)
		if (await isOther(item))
			throw new DescribedError(
				`The credential has another Base URL or API key for item ${item} than for item 0`,
				'Nothing was sent. Process the items of each service and API key in a run of their own, for example with Loop Over Items and a Batch Size of 1.',
			);
}

function openRunContext(
	{ context, options, plans, signal }: Run,
	send: RunContext['send'],
	processStore: ProcessStore,
): RunContext {
	const { maxRetries, dryRun } = options;
	const made = new Map<string, unknown>();
	const once = <T>(name: string, make: () => T): T => {
		if (!made.has(name)) made.set(name, make());
		return made.get(name) as T;
	};
	return {
		n8n: context,
		processStore,
		all: plans.flatMap((plan) => (plan instanceof Error ? [] : [plan.values])),
		maxRetries,
		isDryRun: dryRun,
		send,
		sendAll: async (requests) => {
			const tasks = requests.map((each) => ({ run: async () => await send(each) }));
			return (await runTasks(tasks, options.concurrency)).flatMap((result) => {
				if (result.status === 'failed') throw result.error;
				return result.status === 'done' ? [result.value] : [];
			});
		},
		list: async (request, { id, largest, pick }) => {
			const accepted = once(`limit of ${request.path}`, () => startLimit(largest));
			const found: ReturnType<typeof pick> = [];
			let isWhole = false;
			const list = { paging: 'cursor', wanted: Infinity, accepted, request, send, id } as const;
			for await (const page of readPages(list)) {
				for (const record of page.records) found.push(...pick(record));
				({ isWhole } = page);
			}
			return { found, isWhole };
		},
		once,
		wait: async (ms) => await wait(ms, signal),
	};
}
