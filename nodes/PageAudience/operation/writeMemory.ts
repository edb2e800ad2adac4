import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hashContent } from '../../api/canonical';
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

export type Remembered =
	| { kind: 'nothing' }
	/** Done before: not sent again. */
	| { kind: 'done'; records: IDataObject[] }
	/** Sent before, and nobody knows whether the service did it. */
	| { kind: 'in doubt'; sameExecution: boolean };

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

	recall(item: number, json: IDataObject, plan: Plan): Remembered {
		const write = this.writes[item];
		if (write?.fingerprint !== fingerprint(json, plan)) return { kind: 'nothing' };
		if (write.records) return { kind: 'done', records: write.records };
		return { kind: 'in doubt', sameExecution: write.executionId === this.execution.id };
	}

	/** @param records undefined when nobody knows whether the service did it */
	keep(item: number, json: IDataObject, plan: Plan, records?: IDataObject[]): void {
		this.writes[item] = {
			fingerprint: fingerprint(json, plan),
			records,
			executionId: this.execution.id,
		};
	}

	/** After a run that succeeded nothing is run again. */
	forget(): void {
		this.forgetAll();
	}
}

function fingerprint(json: IDataObject, { values }: Plan): string {
	// How to send is not what is sent.
	return hashContent([json, { ...values, options: undefined }]);
}
