import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hashContent, writeCanonical } from '../../runtime/canonical';
import { readKey, withKey } from '../../api/idempotencyKey';
import { type ApiRequest, isRepeatable } from '../../api/request';
import { leavesDoubt } from '../../api/response';
import type { Account } from '../../api/client';
import { describeError, type DetailedError, type ErrorDescription } from '../../errors';
import type { Execution } from './execution';
import { type CommonValues, isWriting, type Plan, type WritingPlan } from './plan';

/** What one item wrote, or tried to write, when the node ran before. */
interface JournalEntry {
	/** In place of `request`, from a version that recognized a write by its content. */
	fingerprint?: string;
	/** As it was first sent. */
	request?: ApiRequest;
	state: 'done' | 'in doubt' | 'refused';
	/** What was returned, when it was done. */
	records?: IDataObject[];
	/** The parameters that the request was made of, while it is in doubt. */
	values?: CommonValues;
	/** The records that it changes. */
	changes?: string[];
	/** Whether it left them in a state that an earlier item's write would undo. */
	replacesState?: boolean;
	/** The idempotency key of an entry with a fingerprint. */
	key?: string;
	/** How often it was sent without an answer that tells what became of it. */
	attempts?: number;
	/** Why it is not done. */
	failure?: Pick<ErrorDescription, 'message' | 'details'>;
	/** The execution that sent it. */
	executionId: string;
}

/** A write whose first attempt may have succeeded. */
export class InDoubtError extends Error implements DetailedError {
	readonly description =
		'Check in the service whether it exists. To send it anyway, retry the execution from the list of executions.';

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
 * What the items have written, kept in the execution's data. Retry On Fail, and Retry in the list of executions, run the
 * whole node again, perhaps with other values: an expression yields another time, or a person has corrected the workflow.
 * So a write is recognized by its item, and not by its content. Every write passes through here, so this holds for every
 * combination of n8n's settings.
 */
export class Journal {
	private readonly entries: Record<string, JournalEntry>;

	private readonly execution: Execution;

	private readonly operation: string;

	private readonly forgetAll: () => void;

	/** @param operation names the operation of all items */
	constructor(
		context: Pick<IExecuteFunctions, 'getContext'>,
		execution: Execution,
		operation: string,
	) {
		const node = context.getContext('node');
		const runs = (node.writes ??= {}) as Record<string, Record<string, JournalEntry>>;
		// n8n counts every attempt of a tool call as a run of its own.
		const run = execution.isTool ? 'tool' : execution.runIndex;
		this.entries = runs[run] ??= {};
		this.execution = execution;
		this.operation = operation;
		this.forgetAll = () => delete runs[run];
	}

	/**
	 * What the items become in view of what was written before. What is done stays done. What is in doubt is sent as it was
	 * first sent, or not at all. What was refused is sent with the values that it has now.
	 */
	async recall(plans: Plan[], readAccount: () => Promise<Account>): Promise<Plan[]> {
		if (Object.keys(this.entries).length === 0) return plans;
		// A credential that cannot be read fails every item.
		const account = await readAccount().catch(() => undefined);
		if (account === undefined) return plans;
		const recalled = [...plans];
		const changedLater = new Set<string>();
		for (const [item, plan] of [...plans.entries()].reverse()) {
			if (plan.kind === 'withheld')
				for (const record of this.listReplaced(item, account)) changedLater.add(record);
			if (!isWriting(plan)) continue;
			const before = this.findEntry(plan, item, account);
			if (!before) continue;
			const isSuperseded =
				plan.replacesState && plan.changes.some((record) => changedLater.has(record));
			const now = this.recallItem(plan, before, isSuperseded);
			recalled[item] = now;
			// Created records and log entries do not replace each other, so their order does not matter.
			if (now.kind === 'done' && now.replacesState)
				for (const record of now.changes) changedLater.add(record);
		}
		return recalled;
	}

	private recallItem(plan: WritingPlan, before: JournalEntry, isSuperseded: boolean): Plan {
		const { state, records = [], attempts = 0, failure } = before;
		const first = restore(plan, before);
		const isChanged = !isSameContent(first, plan);
		// A person who has corrected the workflow wants another update, which harms nobody unless it comes too late.
		const mayDiffer = state !== 'done' || before.executionId !== this.execution.id;
		const isUpdate = plan.replacesState && (plan.kind === 'send' || isSameRecord(first, plan));
		const isFound = plan.kind === 'ensure' && state === 'done' && records.every(isUntouched);
		const isRevised = isChanged && mayDiffer && (isUpdate || isFound);
		if (state === 'done')
			return isRevised && !isSuperseded
				? plan
				: { ...first, kind: 'done', records, isKept: isChanged };
		if (isSuperseded && failure) return { kind: 'withheld', error: new SupersededError(failure) };
		if (isRevised) return { ...plan, mayBeDone: state === 'in doubt' };
		if (state === 'refused') return isChanged ? withNewKey(plan) : first;
		// The message asks to check in the service before a manual Retry. Retry On Fail asks nobody.
		const mayBeSent = isRepeatable(first.request) || plan.kind === 'ensure';
		if (before.executionId === this.execution.id && !mayBeSent)
			return { kind: 'withheld', error: new InDoubtError(before) };
		return { ...first, mayBeDone: true, attempts, isKept: isChanged };
	}

	/** Sends what one item writes, and notes what became of it. */
	async note(
		plan: WritingPlan,
		item: number,
		account: Account,
		send: () => Promise<IDataObject[]>,
	): Promise<IDataObject[]> {
		const { request, values, changes, replacesState, mayBeDone, attempts } = plan;
		const { id: executionId, isTool } = this.execution;
		const slot = this.slotOf(plan, item, account);
		const noted = { request, changes, replacesState, executionId };
		const records = await send().catch((error: unknown) => {
			const isInDoubt = mayBeDone || leavesDoubt(error);
			const { message, details } = describeError(error);
			this.entries[slot] = {
				...noted,
				state: isInDoubt ? 'in doubt' : 'refused',
				failure: { message, details },
				...(isInDoubt && { values, attempts: attempts + 1 }),
			};
			throw error;
		});
		if (isTool) delete this.entries[slot];
		else this.entries[slot] = { ...noted, state: 'done', records };
		return records;
	}

	/** For a run that n8n does not repeat, so that the execution's data does not hold every record twice. */
	forget(): void {
		if (!this.execution.isTool) this.forgetAll();
	}

	/** What an item has changed whose values are invalid now. */
	private listReplaced(item: number, account: Account): string[] {
		const { state, replacesState, changes } = this.entries[this.nameSlot(item, account)] ?? {};
		return state === 'done' && replacesState ? (changes ?? []) : [];
	}

	private findEntry(plan: WritingPlan, item: number, account: Account): JournalEntry | undefined {
		const entry = this.entries[this.slotOf(plan, item, account)];
		if (entry) return entry;
		const older = this.entries[item];
		return older?.fingerprint === hashRequest(plan, account.identity) ? older : undefined;
	}

	/**
	 * A write belongs to its item, its operation and its service, whatever its values and the API key are now: a key that
	 * was rejected is replaced before a Retry. A tool call is always item 0. A repeat of one that failed is the same write;
	 * of one that succeeded, a new one.
	 */
	private slotOf(plan: WritingPlan, item: number, account: Account): string {
		return this.execution.isTool
			? hashRequest(plan, account.identity)
			: this.nameSlot(item, account);
	}

	private nameSlot(item: number, { baseUrl }: Account): string {
		return `${item} ${this.operation} ${baseUrl}`;
	}
}

/** Nothing was sent for a record that Create or Get found, or that was as wanted. */
function isUntouched({ outcome }: IDataObject): boolean {
	return outcome === 'found' || outcome === 'unchanged';
}

/** The write as it was first sent. */
function restore(plan: WritingPlan, before: JournalEntry): WritingPlan {
	const request = before.request ?? withKey(plan.request, before.key);
	const { values = plan.values, changes = plan.changes } = before;
	const first = { ...plan, request, values, changes };
	return first.kind === 'ensure'
		? first
		: { ...first, synced: first.operation.writes?.synced?.(values, request) };
}

/** A key that the node made is not part of what is written. */
function isSameContent(first: WritingPlan, { request, madeKey }: WritingPlan): boolean {
	const now = madeKey === undefined ? request : withKey(request, readKey(first.request));
	return writeCanonical(pickContent(first.request)) === writeCanonical(pickContent(now));
}

function isSameRecord(first: WritingPlan, { request, changes }: WritingPlan): boolean {
	return first.request.path === request.path && first.changes.join() === changes.join();
}

/** One key never stands for two contents. */
function withNewKey(plan: WritingPlan): WritingPlan {
	const { madeKey, request } = plan;
	if (madeKey === undefined) return plan;
	return { ...plan, request: withKey(request, hashContent([madeKey, request.body])) };
}

/** Of what is written, and where. A key that the node made is not part of it. */
function hashRequest({ request, madeKey }: WritingPlan, account: string): string {
	const content = pickContent(madeKey === undefined ? request : withKey(request, ''));
	return hashContent([account, ...content]);
}

function pickContent({ method, path, query, body }: ApiRequest): unknown[] {
	return [method, path, query, body];
}
