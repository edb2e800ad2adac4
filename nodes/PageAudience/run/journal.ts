import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hashContent } from '../../runtime/canonical';
import { type ApiRequest, isRepeatable } from '../../api/request';
import { leavesDoubt } from '../../api/response';
import { Yielder } from '../../runtime/eventLoop';
import { describeError, type DetailedError, type ErrorDescription } from '../../errors';
import type { Execution } from './execution';
import { isWriting, type Plan, type Write } from './plan';

/** The result of one item in an earlier run of this node. */
interface JournalEntry {
	/** Of the request and of the account that it went to, so that anything else is sent. */
	fingerprint: string;
	state: 'done' | 'in doubt' | 'refused';
	/** What was returned, when it was done. */
	records?: IDataObject[];
	/** The idempotency key that the node made: once made, it belongs to this write. */
	key?: string;
	/** Why it is not done. */
	failure?: Pick<ErrorDescription, 'message' | 'details'>;
	/** The execution that sent it. */
	executionId: string;
}

/** What an earlier run of this node has written, or may have written. */
export interface EarlierWrite {
	write: Write;
	/** Empty where it got no response. */
	records: IDataObject[];
	inDoubt: boolean;
}

/** A write whose first attempt may have succeeded. */
export class InDoubtError extends Error implements DetailedError {
	readonly description =
		'Check in the service whether it is there. To send it anyway, retry the execution from the list of executions.';

	readonly details: IDataObject;

	constructor({ failure }: Pick<JournalEntry, 'failure'>) {
		super('Not resent: an earlier attempt got no response and may have succeeded');
		this.details = { ...failure?.details, maybeDone: true };
	}
}

/** A change that would undo what a later item has changed in an earlier run of this node. */
export class SupersededError extends Error implements DetailedError {
	readonly description =
		'To send it anyway, run the workflow again with this item only, after you have checked the record.';

	readonly details: IDataObject;

	constructor({ message, details }: Pick<ErrorDescription, 'message' | 'details'>) {
		super(`${message}. Not resent: a later item has changed the same record since`);
		this.details = details;
	}
}

/**
 * What a run has written, kept in the execution's data. Retry On Fail, and Retry in the list of executions, run the whole
 * node again. What was written is then returned without a request. Every write passes through here, so this holds for
 * every combination of n8n's settings.
 */
export class Journal {
	private readonly entries: Record<string, JournalEntry>;

	private readonly execution: Execution;

	private readonly forgetAll: () => void;

	private superseded?: Promise<Set<number>>;

	constructor(context: Pick<IExecuteFunctions, 'getContext'>, execution: Execution) {
		const node = context.getContext('node');
		const runs = (node.writes ??= {}) as Record<string, Record<string, JournalEntry>>;
		// n8n counts every attempt of a tool call as a run of its own.
		const run = execution.isTool ? 'tool' : execution.runIndex;
		this.entries = runs[run] ??= {};
		this.execution = execution;
		this.forgetAll = () => delete runs[run];
	}

	/**
	 * Sends what one item writes, unless an earlier run of this node did.
	 * @param account identifies the service and account that the write goes to
	 * @param send its `mayBeDone` says whether an earlier attempt may have succeeded
	 * @returns the records, of this run or of the earlier one
	 * @throws {InDoubtError} when sending again could write twice
	 * @throws {SupersededError} when sending again would undo what a later item has changed
	 */
	async once(
		item: number,
		plan: Write,
		account: string,
		send: (request: ApiRequest, mayBeDone: boolean) => Promise<IDataObject[]>,
		isSuperseded = false,
	): Promise<IDataObject[]> {
		const fingerprint = fingerprintOf(plan, account);
		const { id: executionId, isTool } = this.execution;
		// A tool call is always item 0. A repeat of one that failed is the same write; of one that succeeded, a new one.
		const slot = isTool ? fingerprint : item;
		const before = this.entries[slot]?.fingerprint === fingerprint ? this.entries[slot] : undefined;
		if (before?.state === 'done') return before.records ?? [];
		if (isSuperseded && before?.failure) throw new SupersededError(before.failure);

		const inDoubt = before?.state === 'in doubt';
		// The message asks to check in the service before a manual Retry. Retry On Fail asks nobody.
		const mayBeSent = isRepeatable(plan.request) || plan.kind === 'ensure';
		if (inDoubt && before.executionId === executionId && !mayBeSent) throw new InDoubtError(before);
		const key = before?.key ?? plan.madeKey;
		const request = key === plan.madeKey ? plan.request : plan.requestWith(key);
		const records = await send(request, inDoubt).catch((error: unknown) => {
			const state = inDoubt || leavesDoubt(error) ? 'in doubt' : 'refused';
			const { message, details } = describeError(error);
			this.entries[slot] = { fingerprint, state, key, failure: { message, details }, executionId };
			throw error;
		});
		if (isTool) delete this.entries[slot];
		else this.entries[slot] = { fingerprint, state: 'done', records, key, executionId };
		return records;
	}

	/** What earlier runs of this node have written, or may have written. */
	listEarlier(plans: Plan[], account: string): EarlierWrite[] {
		return plans.flatMap((plan, item) => {
			const entry = this.entries[item];
			if (!entry || entry.state === 'refused' || !isWriting(plan)) return [];
			if (entry.fingerprint !== fingerprintOf(plan, account)) return [];
			return { write: plan, records: entry.records ?? [], inDoubt: entry.state === 'in doubt' };
		});
	}

	/** As findSuperseded, for one item. It looks at all of them once. */
	async isSuperseded(item: number, plans: Plan[], account: string): Promise<boolean> {
		this.superseded ??= this.findSuperseded(plans, account);
		return (await this.superseded).has(item);
	}

	/**
	 * Items that failed in an earlier run of this node, in which a later item changed the same record.
	 * Created records and log entries do not replace each other, so their order does not matter here.
	 */
	async findSuperseded(plans: Array<Plan | Write>, account: string): Promise<Set<number>> {
		const superseded = new Set<number>();
		if (Object.keys(this.entries).length === 0) return superseded;
		const doneLater = new Set<string>();
		const yielder = new Yielder();
		for (const [item, plan] of [...plans.entries()].reverse()) {
			await yielder.yieldToEventLoop();
			if (!isWriting(plan) || !plan.replacesState) continue;
			const entry = this.entries[item];
			const isDone = entry?.state === 'done' && entry.fingerprint === fingerprintOf(plan, account);
			if (isDone) for (const record of plan.changes) doneLater.add(record);
			else if (plan.changes.some((record) => doneLater.has(record))) superseded.add(item);
		}
		return superseded;
	}

	/** For a run that n8n does not repeat, so that the execution's data does not hold every record twice. */
	forget(): void {
		if (!this.execution.isTool) this.forgetAll();
	}
}

/** A key that the node made is not part of what is written. */
function fingerprintOf({ request, madeKey, requestWith }: Write, account: string): string {
	const { method, path, query, body } = madeKey === undefined ? request : requestWith('');
	return hashContent([account, method, path, query, body]);
}
