import type { OperationId } from '../endpoints/index.mts';

/** Chooses the requests that a fault applies to. */
export interface FaultTarget {
	operationId?: string;
	method?: string;
	/** A string must equal the whole raw, percent-encoded path without the query. */
	path?: string | RegExp;
	/** How many requests the fault applies to. Default 1, for a rate limit unlimited. */
	times?: number;
	/** How many matching requests to let through first, including those that meet another fault. */
	skip?: number;
}

export interface StatusFault {
	kind: 'status';
	status: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON, a string unchanged. */
	body?: unknown;
	/** Whether to do the endpoint's work before sending this status. */
	afterWork?: boolean;
}

export interface RateLimitFault {
	kind: 'rateLimit';
	requests: number;
	perMs: number;
	/** 'seconds' and 'date' are computed from the end of the window. Any other text is sent unchanged. */
	retryAfter?: string;
}

export interface AnswerFault {
	kind: 'answer';
	status?: number;
	headers?: Record<string, string>;
	body: unknown;
}

export type FaultAction =
	| StatusFault
	| RateLimitFault
	| AnswerFault
	| { kind: 'latency'; ms: number }
	| { kind: 'resetBefore' }
	| { kind: 'resetAfter' }
	| { kind: 'cutBody' };

export type Fault = FaultTarget & FaultAction;

export interface FaultedRequest {
	operationId: OperationId | undefined;
	method: string;
	path: string;
}

/** What happens to one request: it waits first, then meets at most one other fault. */
export interface FaultPlan {
	latencyMs: number;
	action?: Exclude<FaultAction, { kind: 'latency' } | RateLimitFault>;
	kinds: string[];
}
