import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hashContent } from '../../api/canonical';
import { RequestFailedError } from '../../api/failure';
import { isRepeatable } from '../../api/request';
import { UnexpectedResponseError } from '../../api/response';
import type { Execution } from './execution';
import type { Plan } from './plan';

interface Write {
	/** Of the input item and the parameters' values, so that what has changed since is sent. */
	fingerprint: string;
	/** What came back; absent when that is not known. */
	records?: IDataObject[];
	/** The execution that sent it. */
	executionId: string;
}

/** A write that n8n runs again although nobody knows whether the service did it the first time. */
export class InDoubtError extends Error {
	readonly description =
		'Look in the service whether it is there. To send it all the same, retry the execution from the list of executions.';

	constructor() {
		super(
			'This was sent before without an answer, and is not sent again because it could then be there twice',
		);
	}
}

/**
 * The writes of a run, kept in the execution's data. n8n's Retry On Fail, and Retry in the list of executions,
 * run the whole node again: what was written then is given out again and not written twice.
 */
export class WriteMemory {
	private readonly writes: Record<string, Write>;

	private readonly execution: Execution;

	private readonly forgetAll: () => void;

	constructor(context: IExecuteFunctions, execution: Execution) {
		// As a tool every call is one of its own.
		const node = execution.isTool ? {} : context.getContext('node');
		const runs = (node.writes ??= {}) as Record<string, Record<string, Write>>;
		this.writes = runs[execution.runIndex] ??= {};
		this.execution = execution;
		this.forgetAll = () => delete runs[execution.runIndex];
	}

	/**
	 * Sends what one item writes, unless an earlier run of this node did.
	 * @param send told whether an earlier attempt may have done the same
	 * @returns the records, of this run or of the earlier one
	 * @throws {InDoubtError} when sending again could write twice
	 */
	async writeOnce(
		item: number,
		json: IDataObject,
		plan: Plan,
		send: (mayBeDone: boolean) => Promise<IDataObject[]>,
	): Promise<IDataObject[]> {
		const fingerprint = fingerprintOf(json, plan);
		const executionId = this.execution.id;
		const before = this.writes[item]?.fingerprint === fingerprint ? this.writes[item] : undefined;
		if (before?.records) return before.records;
		// A person who retries an execution was told to look first; Retry On Fail asks nobody.
		if (before?.executionId === executionId && !isRepeatable(plan.request))
			throw new InDoubtError();
		const records = await send(before !== undefined).catch((error: unknown) => {
			if (isInDoubt(error)) this.writes[item] = { fingerprint, executionId };
			throw error;
		});
		this.writes[item] = { fingerprint, executionId, records };
		return records;
	}

	/** After a run that succeeded nothing is run again. */
	forget(): void {
		this.forgetAll();
	}
}

function isInDoubt(error: unknown): boolean {
	return (
		error instanceof UnexpectedResponseError ||
		(error instanceof RequestFailedError && error.details.maybeDone)
	);
}

function fingerprintOf(json: IDataObject, { values }: Plan): string {
	// How to send is not what is sent.
	return hashContent([json, { ...values, options: undefined }]);
}
