import type { Fault, FaultedRequest, FaultPlan } from './fault.mts';
import { countAgainstLimit, type RateLimitWindow } from './rateLimit.mts';

interface PendingFault {
	fault: Fault;
	skipLeft: number;
	timesLeft: number;
	window: RateLimitWindow;
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
		const defaultTimes = fault.kind === 'rateLimit' ? Infinity : 1;
		this.#pending.push({
			fault,
			skipLeft: fault.skip ?? 0,
			timesLeft: fault.times ?? defaultTimes,
			window: { endsAtMs: 0, used: 0 },
		});
	}

	clear(): void {
		this.#pending = [];
	}

	list(): Fault[] {
		return this.#pending.map(({ fault, timesLeft }) => ({ ...fault, times: timesLeft }));
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
	if (fault.kind === 'rateLimit') {
		const rejection = countAgainstLimit(fault, pending.window);
		if (!rejection) return;
		plan.action = rejection;
	} else if (fault.kind === 'latency') {
		plan.latencyMs += fault.ms;
	} else {
		plan.action = fault;
	}
	plan.kinds.push(fault.kind);
	pending.timesLeft--;
}
