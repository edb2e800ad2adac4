import type { IDataObject } from 'n8n-workflow';
import { leavesDoubt } from '../../api/doubt';
import { RequestFailedError } from '../../api/failure';
import type { ApiRequest } from '../../api/request';
import { readRecord } from '../../api/response';
import { type DetailedError, isDetailed } from '../../errors';
import type { Call } from './call';
import { previewRequest } from './dryRun';

/** What became of an item's record. */
export type Outcome = 'found' | 'unchanged' | 'created' | 'updated';

/** What an item needs, after looking at what is there. */
export type Decision = Settled | Change;

/** Nothing more is sent. In a dry run, the record may be one that an earlier item would create. */
export interface Settled {
	outcome: Outcome;
	record: IDataObject;
}

export interface Change {
	outcome: 'created' | 'updated';
	request: ApiRequest;
	/** The ID of the record that it changes, for a dry run. */
	id?: IDataObject;
}

/** What happened before a decision. */
export type Situation =
	| { after: 'nothing' }
	/** The record of a request that succeeded, and the status of its response. */
	| { after: 'success'; outcome: 'created' | 'updated'; record: IDataObject; status: number }
	/** An attempt to create that may have succeeded, of this run or of an earlier one. */
	| { after: 'doubt'; error?: Error }
	/** The service refused to create, because a record exists. */
	| { after: 'conflict'; error: Error };

export type Decide = (situation: Situation) => Promise<Decision>;

/**
 * Looks, and sends what is missing. After an answer that was lost, or a conflict, it looks again before anything else.
 * @param mayBeDone an earlier run may have sent the same
 * @returns the record, with its outcome
 * @throws what the last attempt to create threw, when looking again did not find a record and did not prove that
 * there is none
 */
export async function settle(
	call: Call,
	decide: Decide,
	isDryRun: boolean,
	mayBeDone: boolean,
): Promise<IDataObject> {
	let situation: Situation = mayBeDone ? { after: 'doubt' } : { after: 'nothing' };
	let lost = mayBeDone ? 1 : 0;
	const fail = (error: Error): never => {
		if (lost > 0 && isDetailed(error)) error.details.maybeDone = true;
		throw error;
	};
	for (;;) {
		const before: Situation = situation;
		const decision: Decision | Error = await decide(before).catch(toError);
		if (decision instanceof Error) return fail(chooseError(before, decision));
		if (!('request' in decision)) return report(decision, isDryRun);
		const { request, outcome, id }: Change = decision;
		if (isDryRun) return { ...previewRequest(request), outcome: would[outcome], ...id };
		const creates = outcome === 'created';
		if (creates && before.after === 'conflict') return fail(before.error);
		const sent: Sent | Error = await send(call, request).catch(toError);
		if (!(sent instanceof Error)) situation = { after: 'success', outcome, ...sent };
		else if (creates && isConflict(sent)) situation = { after: 'conflict', error: sent };
		else if (creates && leavesDoubt(sent) && lost++ < call.maxRetries)
			situation = { after: 'doubt', error: sent };
		else return fail(sent);
	}
}

type Sent = { record: IDataObject; status: number };

async function send(call: Call, request: ApiRequest): Promise<Sent> {
	const response = await call.send(request);
	return { record: readRecord(response), status: response.status };
}

/** A look that failed after an attempt to create says less than that attempt. */
function chooseError(situation: Situation, error: Error): Error {
	const former = 'error' in situation ? situation.error : undefined;
	return error instanceof SeveralRecordsError ? error : (former ?? error);
}

const would = { created: 'wouldCreate', updated: 'wouldUpdate' };

function report({ outcome, record }: Settled, isDryRun: boolean): IDataObject {
	if (!isDryRun) return { ...record, outcome };
	return { ...previewRequest(undefined), outcome, ...pickId(record) };
}

function pickId({ personId, accountId }: IDataObject): IDataObject {
	return {
		...(personId === undefined ? {} : { personId }),
		...(accountId === undefined ? {} : { accountId }),
	};
}

/** A look at what is there that does not tell what to do. */
export class LookupError extends Error implements DetailedError {
	readonly description: string;

	readonly details: IDataObject;

	constructor(message: string, description: string, details: IDataObject = {}) {
		super(message);
		this.description = description;
		this.details = details;
	}
}

/** Several records have the value that one was looked up by. Its details hold their IDs. */
export class SeveralRecordsError extends LookupError {}

function toError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}

function isConflict(error: Error): boolean {
	return error instanceof RequestFailedError && error.details.status === 409;
}
