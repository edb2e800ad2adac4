import type { OperationId } from './endpoints/call.mts';

/** Chooses the requests that a fault applies to. */
interface FaultTarget {
	operationId?: string;
	method?: string;
	/** A string must equal the whole raw, percent-encoded path without the query. */
	path?: string | RegExp;
	/** How many requests the fault applies to. Default 1, for a rate limit unlimited. */
	times?: number;
	/** How many matching requests to let through first, including those that meet another fault. */
	skip?: number;
}

interface StatusFault {
	kind: 'status';
	status: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON, a string unchanged. */
	body?: unknown;
	/** Whether to do the endpoint's work before sending this status. */
	afterWork?: boolean;
}

interface RateLimitFault {
	kind: 'rateLimit';
	requests: number;
	perMs: number;
	/** What the header Retry-After says. */
	retryAfter?: string;
}

/** Does the work, then sends this in place of the response. */
interface AnswerFault {
	kind: 'answer';
	status?: number;
	headers?: Record<string, string>;
	body: unknown;
}

export type FaultAction =
	| StatusFault
	| AnswerFault
	| { kind: 'resetBefore' }
	| { kind: 'resetAfter' }
	| { kind: 'cutBody' };

export type Fault = FaultTarget & (FaultAction | RateLimitFault | { kind: 'latency'; ms: number });

/** What happens to one request: it waits first, then meets at most one other fault. */
export interface FaultPlan {
	latencyMs: number;
	action?: FaultAction;
	kinds: string[];
}

interface PendingFault {
	fault: Fault;
	skipLeft: number;
	timesLeft: number;
	/** Of a rate limit. */
	window: { endsAtMs: number; used: number };
}

interface FaultedRequest {
	operationId: OperationId | undefined;
	method: string;
	path: string;
}

const appliesTo = (fault: Fault, { operationId, method, path }: FaultedRequest): boolean =>
	(fault.operationId === undefined || fault.operationId === operationId) &&
	(fault.method === undefined || fault.method.toUpperCase() === method) &&
	(fault.path === undefined ||
		(typeof fault.path === 'string' ? fault.path === path : path.search(fault.path) >= 0));

/** Faults waiting for their requests. The first match wins. Only latencies add up. */
export class Faults {
	#pending: PendingFault[] = [];

	add(fault: Fault): void {
		this.#pending.push({
			fault,
			skipLeft: fault.skip ?? 0,
			timesLeft: fault.times ?? (fault.kind === 'rateLimit' ? Infinity : 1),
			window: { endsAtMs: 0, used: 0 },
		});
	}

	clear(): void {
		this.#pending = [];
	}

	/** Chooses the faults for a request and uses each of them up once. */
	take(request: FaultedRequest): FaultPlan {
		const plan: FaultPlan = { latencyMs: 0, kinds: [] };
		for (const pending of this.#pending) {
			if (!appliesTo(pending.fault, request)) continue;
			if (pending.skipLeft > 0) pending.skipLeft--;
			else if (!plan.action || pending.fault.kind === 'latency') addToPlan(pending, plan);
		}
		this.#pending = this.#pending.filter(({ timesLeft }) => timesLeft > 0);
		return plan;
	}
}

function addToPlan(pending: PendingFault, plan: FaultPlan): void {
	const { fault } = pending;
	if (fault.kind === 'latency') plan.latencyMs += fault.ms;
	else {
		const action = fault.kind === 'rateLimit' ? countRequest(fault, pending.window) : fault;
		if (!action) return;
		plan.action = action;
	}
	plan.kinds.push(fault.kind);
	pending.timesLeft--;
}

/**
 * Returns the 429 of a request over the limit, and counts any other. A window starts with the first request after the
 * last window ended. Rejected requests do not count.
 */
function countRequest(
	{ requests, perMs, retryAfter }: RateLimitFault,
	window: PendingFault['window'],
): StatusFault | undefined {
	const nowMs = Date.now();
	if (nowMs >= window.endsAtMs) Object.assign(window, { endsAtMs: nowMs + perMs, used: 0 });
	if (window.used < requests) {
		window.used++;
		return undefined;
	}
	return { kind: 'status', status: 429, headers: retryAfter ? { 'retry-after': retryAfter } : {} };
}
