import type { OperationId } from './operations/index.mts';

export interface FaultTarget {
	operationId?: string;
	method?: string;
	/** A text is the whole raw path, still percent-encoded, without the query. */
	path?: string | RegExp;
	/** How many requests it meets; 1 unless told, and without end for a rate limit. */
	times?: number;
	/** How many matching requests pass first, also those that meet another fault. */
	skip?: number;
}

export interface StatusFault {
	kind: 'status';
	status: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON, a string as it is. */
	body?: unknown;
	/** The work is done, and then this is answered. */
	afterWork?: boolean;
}

export interface RateLimitFault {
	kind: 'rateLimit';
	requests: number;
	perMs: number;
	/** 'seconds' and 'date' are worked out from the end of the window; another text is sent as it is. */
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

/** What a request meets: it waits first, and then at most one other thing happens to it. */
export interface Plan {
	latencyMs: number;
	action?: Exclude<FaultAction, { kind: 'latency' } | RateLimitFault>;
	kinds: string[];
}

interface Pending {
	fault: Fault;
	skipLeft: number;
	timesLeft: number;
	window: { endsAtMs: number; used: number };
}

const isMeant = (fault: Fault, { operationId, method, path }: FaultedRequest): boolean =>
	(fault.operationId === undefined || fault.operationId === operationId) &&
	(fault.method === undefined || fault.method.toUpperCase() === method) &&
	(fault.path === undefined ||
		(typeof fault.path === 'string' ? fault.path === path : path.search(fault.path) >= 0));

/** The faults that wait for their requests. The first that matches wins; only latencies add up. */
export class Faults {
	#pending: Pending[] = [];

	add(fault: Fault): void {
		const endless = fault.kind === 'rateLimit' ? Infinity : 1;
		this.#pending.push({
			fault,
			skipLeft: fault.skip ?? 0,
			timesLeft: fault.times ?? endless,
			window: { endsAtMs: 0, used: 0 },
		});
	}

	clear(): void {
		this.#pending = [];
	}

	list(): Fault[] {
		return this.#pending.map(({ fault, timesLeft }) => ({ ...fault, times: timesLeft }));
	}

	/** What happens to this request; each fault that it meets is used up by one. */
	take(request: FaultedRequest): Plan {
		const plan: Plan = { latencyMs: 0, kinds: [] };
		for (const pending of this.#pending) {
			if (!isMeant(pending.fault, request)) continue;
			if (pending.skipLeft > 0) pending.skipLeft--;
			else if (!plan.action || pending.fault.kind === 'latency') meet(pending, plan);
		}
		this.#pending = this.#pending.filter(({ timesLeft }) => timesLeft > 0);
		return plan;
	}
}

function meet(pending: Pending, plan: Plan): void {
	const { fault } = pending;
	if (fault.kind === 'rateLimit') {
		const refusal = countAgainstLimit(fault, pending.window);
		if (!refusal) return;
		plan.action = refusal;
	} else if (fault.kind === 'latency') {
		plan.latencyMs += fault.ms;
	} else {
		plan.action = fault;
	}
	plan.kinds.push(fault.kind);
	pending.timesLeft--;
}

/** A window starts with the first request after the last one ended; refused requests do not count. */
function countAgainstLimit(
	{ requests, perMs, retryAfter }: RateLimitFault,
	window: Pending['window'],
): StatusFault | undefined {
	const nowMs = Date.now();
	if (nowMs >= window.endsAtMs) Object.assign(window, { endsAtMs: nowMs + perMs, used: 0 });
	if (window.used < requests) {
		window.used++;
		return undefined;
	}
	const value = describeWait(retryAfter, nowMs, window.endsAtMs);
	return { kind: 'status', status: 429, headers: value ? { 'retry-after': value } : {} };
}

/** Both forms know whole seconds only, so they are rounded up: who waits that long gets through. */
function describeWait(retryAfter: string | undefined, nowMs: number, endsAtMs: number) {
	if (retryAfter === 'seconds') return String(Math.ceil((endsAtMs - nowMs) / 1000));
	if (retryAfter === 'date') return new Date(Math.ceil(endsAtMs / 1000) * 1000).toUTCString();
	return retryAfter;
}
