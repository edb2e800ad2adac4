import type { Response } from 'express';
import type { FaultPlan } from '../faults/fault.mts';
import type { Operation } from './document.mts';
import type { RecordedRequest } from './recorder.mts';

/** Everything known about a request under way. */
export interface RequestContext {
	/** Undefined for an unknown endpoint. */
	operation: Operation | undefined;
	record: RecordedRequest;
	faults: FaultPlan;
}

export function setContext({ locals }: Response, context: RequestContext): void {
	locals.context = context;
}

/** Undefined for a path outside /v0. */
export const findContext = ({ locals }: Response): RequestContext | undefined => locals.context;

export function getContext(response: Response): RequestContext {
	const context = findContext(response);
	if (!context) throw new Error('The request was not recorded');
	return context;
}
