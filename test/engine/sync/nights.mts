import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Guesses } from '../../../sandbox/guesses.mts';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import { onlyNewOrChanged, requestLimits } from '../../groups.mts';
import { entries, type RunResult } from '../engine.mts';
import type { NetworkRequest, Reply } from '../fakeNetwork.mts';
import { type OfflineRun, runOffline } from '../offline.mts';
import { nightlySync } from './nightlySync.mts';

export interface SyncedContact extends IDataObject {
	id: number | string | string[];
	version: string;
}

/** What happens to a run besides what it does itself. */
export interface NightSettings extends Pick<OfflineRun, 'asTool' | 'credential' | 'settings'> {
	continues?: boolean;
	/** The contacts whose entries the service rejects. */
	rejected?: number[];
	/** The contacts whose entries the service stores without a response. */
	unanswered?: number[];
	/** n8n is killed when it has reached the database or the service this often. */
	killedAt?: number;
	/** Runs the execution before again, with what it had kept. */
	isRetry?: boolean;
	concurrency?: number;
	parameters?: INodeParameters;
	options?: INodeParameters;
	/** What Start Over has. */
	startOver?: string;
	/** Whether a call of the database fails. */
	databaseFails?: (call: string) => boolean;
	/** Whose people the API key reads: nobody's where that is undefined, and none where the list has another status. */
	tenant?: { id?: string; status?: number };
}

// One for all tests, because it takes longer to open than a run.
export const sandbox = new SandboxInProcess();

const keyOf = ({ idempotencyKey }: IDataObject) => String(idempotencyKey);

/** Contacts that are written as person logs every night, by one node of one n8n. */
export class Nights {
	/** The contacts that were sent since this was last emptied. */
	sent: Array<SyncedContact['id']> = [];

	/** How often somebody was read, to tell the tenant. */
	lookUps = 0;

	/** Contacts that were skipped although no run had seen their success. */
	readonly lost: IDataObject[] = [];

	/** Keys whose success a run has seen. */
	private readonly confirmed = new Set<string>();

	private kept: IDataObject = {};

	private runs = 0;

	constructor(repeatedKey: Guesses['repeatedKey'] = 'returned') {
		entries.empty();
		sandbox.store.personLogs.clear();
		sandbox.guesses.repeatedKey = repeatedKey;
	}

	/** The keys that the service has stored. */
	get stored(): Set<string | null> {
		return new Set(sandbox.store.personLogs.all().map(({ idempotencyKey }) => idempotencyKey));
	}

	get doubles(): number {
		return sandbox.store.personLogs.size - this.stored.size;
	}

	/** @returns undefined when n8n was killed */
	async run(
		items: SyncedContact[],
		settings: NightSettings = {},
	): Promise<(RunResult & { json: IDataObject[] }) | undefined> {
		const { killedAt = Infinity, concurrency = 1, startOver, options, ...given } = settings;
		const killer = new AbortController();
		let reached = 0;
		// Nothing that a dead process does has an effect.
		const isAlive = () => {
			if (reached++ >= killedAt) killer.abort();
			return !killer.signal.aborted;
		};
		entries.onAccess = (call) => {
			if (given.databaseFails?.(call)) throw new Error('SQLITE_BUSY: database is locked');
			if (!isAlive()) throw new Error('Killed');
		};
		const kept = settings.isRetry ? structuredClone(this.kept) : {};
		this.kept = {};
		const executionId = String(++this.runs);
		const more = {
			recordVersion: '={{ $json.version }}',
			...(startOver !== undefined && { startOver }),
		};
		const outcome = await runOffline({
			...given,
			parameters: {
				...nightlySync,
				...given.parameters,
				options: {
					...requestLimits({ concurrency, maxRetries: 0 }),
					...onlyNewOrChanged('={{ $json.id }}', more),
					...options,
				},
			},
			items,
			onError: settings.continues ? 'continueRegularOutput' : undefined,
			signal: killer.signal,
			handOver: (context) => {
				Object.assign(context.getContext('node'), kept);
				context.getExecutionId = () => executionId;
			},
			answer: async (request) => await this.answer(request, settings, isAlive),
		});
		if (killer.signal.aborted) return undefined;
		this.kept = outcome.contextData['node:Page Audience'] as IDataObject;
		const json = outcome.output.map((item) => item.json);
		const skipped = json.filter(({ alreadyWritten }) => alreadyWritten === true);
		this.lost.push(...skipped.filter((each) => !this.confirmed.has(keyOf(each))));
		return { ...outcome, json };
	}

	private async answer(
		request: NetworkRequest,
		{ rejected = [], unanswered = [], tenant = { id: 'tenant_1' } }: NightSettings,
		isAlive: () => boolean,
	): Promise<Reply> {
		const never = new Promise<Reply>(() => undefined);
		if (!isAlive()) return await never;
		if (request.method === 'GET') {
			this.lookUps++;
			const items = tenant.id ? [{ personId: 'prospect_1', tenantId: tenant.id }] : [];
			return { status: tenant.status ?? 200, body: tenant.status ? {} : { items, hasMore: false } };
		}
		const body = request.body as IDataObject & { payload: SyncedContact };
		const { id } = body.payload;
		this.sent.push(id);
		if (rejected.includes(Number(id))) return { status: 422, body: { error: 'Rejected' } };
		const reply = sandbox.answer(request);
		if (!isAlive()) return await never;
		if (unanswered.includes(Number(id))) return { lost: 'ECONNRESET', message: 'lost' };
		this.confirmed.add(keyOf(body));
		return reply;
	}
}
