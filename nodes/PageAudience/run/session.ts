import type { IExecuteFunctions } from 'n8n-workflow';
import { ApiClient } from '../../api/client';
import { type Connection, readConnection } from '../../api/connection';
import { DescribedError } from '../../api/errors';
import { pageFetcher, readPages, startLimit } from '../../api/paginate';
import { at } from '../../api/request';
import { isId, readItems } from '../../api/response';
import { hashContent } from '../../runtime/canonical';
import { runTasks, takeValues } from '../../runtime/runTasks';
import type { RunContext } from '../operation/operation';
import { openJournal } from './journal';
import type { Run, Session } from './model';
import { Sync } from './sync';

/** @throws {RangeError | DescribedError} when the credential cannot be used */
export async function openSession(run: Run): Promise<Session> {
	const { context, name, execution, options, plans, signal } = run;
	const { concurrency, requestsPerSecond, dryRun } = options;
	const connection = await readConnection(context);
	await refuseChanging(context, connection.identity);
	const client = new ApiClient(context, connection, { concurrency, requestsPerSecond, signal });
	// A dry run does not look up what was written: that would record it.
	const keys = plans.map((plan) =>
		dryRun || plan instanceof Error ? undefined : plan.synced?.key,
	);
	const end = new AbortController();
	const runContext = openRunContext(run, client, connection.identity, end.signal);
	const sync = new Sync(context, keys);
	await sync.enter(connection.identity, async () => await readTenant(runContext, connection));
	return {
		client,
		apiKey: connection.apiKey,
		journal: openJournal(context, execution, `${name} ${connection.baseUrl}`),
		sync,
		runContext,
		end: () => end.abort(),
	};
}

/** A name of the tenant for all of its API keys, read from a person. Without people, the key stands for itself. */
async function readTenant(
	{ send }: RunContext,
	{ baseUrl, identity }: Connection,
): Promise<string> {
	const people = await send({ method: 'GET', ...at.person`/persons`, query: { limit: 1 } });
	const [{ tenantId } = {}] = readItems(people);
	return isId(tenantId) ? hashContent([baseUrl, tenantId]) : identity;
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
	{ context, options, plans }: Run,
	client: ApiClient,
	service: string,
	ended: AbortSignal,
): RunContext {
	const { timeout: timeoutMs, maxRetries, dryRun } = options;
	const made = new Map<string, unknown>();
	const once = <T>(name: string, make: () => T): T => {
		if (!made.has(name)) made.set(name, make());
		return made.get(name) as T;
	};
	const send: RunContext['send'] = async (request, inDoubt = false) =>
		await client.send(request, { timeoutMs, maxRetries, inDoubt });
	return {
		n8n: context,
		service,
		all: plans.flatMap((plan) => (plan instanceof Error ? [] : [plan.values])),
		maxRetries,
		isDryRun: dryRun,
		send,
		sendAll: async (requests) => {
			const tasks = requests.map((each) => ({ locks: [], run: async () => await send(each) }));
			return takeValues(await runTasks(tasks, options.concurrency, () => false));
		},
		list: async (request, { id, largest, pick }) => {
			const accepted = once(`limit of ${request.path}`, () => startLimit(largest));
			const fetchPage = pageFetcher(request, send);
			const found: ReturnType<typeof pick> = [];
			let isWhole = false;
			const list = { paging: 'cursor', wanted: Infinity, accepted, fetchPage, id } as const;
			for await (const page of readPages(list)) {
				for (const record of page.records) found.push(...pick(record));
				({ isWhole } = page);
			}
			return { found, isWhole };
		},
		once,
		ended,
		wait: async (ms) => await client.wait(ms),
	};
}
