import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import type { FileFormat } from '../../files/listFile';
import type {
	LookThenWrite,
	PagedList,
	SeveralReads,
	SingleRequest,
	SyncedRecord,
} from '../operation/operation';
import type { OutputChoice } from '../operation/output';
import type { Options } from '../operation/sharedParameters';

/** The parameters that operations share. */
export type CommonValues = OutputChoice & {
	/** Not there in an AI tool. */
	outputAs?: 'items' | FileFormat;
	returnAll?: boolean;
	limit?: number;
	/** For files. */
	binaryPropertyName?: string;
	options: Options;
};

/** What one item asks for, read and checked, with nothing sent yet. */
interface CheckedItem {
	values: CommonValues;
	request: ApiRequest;
	/** The input item. */
	json: IDataObject;
}

/** What one item writes. */
interface Write extends CheckedItem {
	/** The idempotency key that the node made for the request. */
	madeKey?: string;
	/** The records that it changes. */
	changes: string[];
}

export interface PreviewPlan extends CheckedItem {
	kind: 'preview';
}
export interface ReadPlan extends CheckedItem {
	kind: 'read';
	operation: SingleRequest | SeveralReads;
}
export interface ListPlan extends CheckedItem {
	kind: 'list';
	operation: PagedList;
}
export interface FilePlan extends CheckedItem {
	kind: 'file';
	operation: PagedList;
	format: FileFormat;
}
export interface SendPlan extends Write {
	kind: 'send';
	operation: SingleRequest;
	/** Present when it is sent only if no earlier run has written it. */
	synced?: SyncedRecord;
}
export interface EnsurePlan extends Write {
	kind: 'ensure';
	operation: LookThenWrite;
	isDryRun: boolean;
}

export type WritingPlan = SendPlan | EnsurePlan;

/** An item that can be executed. */
export type ValidPlan = PreviewPlan | ReadPlan | ListPlan | FilePlan | WritingPlan;

/** What an input item becomes. It is decided once, and executed in one place. */
export type Plan =
	/** Its values are invalid. */
	{ kind: 'withheld'; error: Error } | ValidPlan;

export function isValid(plan: Plan): plan is ValidPlan {
	return plan.kind !== 'withheld';
}

/** Whether the item shows what it would send, in place of sending it. */
export function isDryRun(plan: Plan): boolean {
	return plan.kind === 'preview' || ('isDryRun' in plan && plan.isDryRun);
}

export function isWriting(plan: Plan): plan is WritingPlan {
	return (plan.kind === 'send' || plan.kind === 'ensure') && !isDryRun(plan);
}
