import { type Analysis, analyze } from './analysis.mts';
import * as output from './invariants/output.mts';
import * as traffic from './invariants/traffic.mts';
import * as writes from './invariants/writes.mts';
import type { Trace } from './runScenario.mts';

/** What must hold in every run: says what does not, one line for each breach. */
type Invariant = (analysis: Analysis) => string[];

const invariants: Record<string, Invariant> = { ...output, ...traffic, ...writes };

/** @throws with everything that did not hold, and with what happened */
export function judge(trace: Trace): void {
	const analysis = analyze(trace);
	const breaches = Object.entries(invariants).flatMap(([name, invariant]) =>
		invariant(analysis).map((breach) => `${name}: ${breach}`),
	);
	if (breaches.length > 0) throw new Error(`${breaches.join('\n')}\n${describeTrace(trace)}`);
}

function describeTrace({ exchanges, result, elapsedMs }: Trace): string {
	const { output, errors, error } = result;
	const happened = exchanges.map(
		({ request: { method, path, query, body }, reply, ...exchange }) => {
			const came = reply && 'status' in reply ? reply.status : reply;
			return { ...exchange, request: `${method} ${path}`, query, body, came };
		},
	);
	const came = [...output, ...errors].map(({ json, pairedItem }) => ({ pairedItem, json }));
	return [...happened, { elapsedMs, stopped: error?.message }, ...came]
		.map((line) => JSON.stringify(line).slice(0, 300))
		.slice(0, 60)
		.join('\n');
}
