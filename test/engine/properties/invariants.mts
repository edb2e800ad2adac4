import { type Analysis, analyze } from './analysis.mts';
import * as output from './invariants/output.mts';
import * as traffic from './invariants/traffic.mts';
import * as writes from './invariants/writes.mts';
import type { Trace } from './runScenario.mts';

/** What must hold in every run: says what does not, one line for each breach. */
type Invariant = (analysis: Analysis) => Iterable<string>;

const invariants: Record<string, Invariant> = { ...output, ...traffic, ...writes };

/** @throws with everything that did not hold, and with what happened */
export function judge(trace: Trace): void {
	const analysis = analyze(trace);
	const breaches = Object.entries(invariants).flatMap(([name, invariant]) =>
		[...invariant(analysis)].map((breach) => `${name}: ${breach}`),
	);
	if (breaches.length > 0) throw new Error(`${breaches.join('\n')}\n${describeTrace(trace)}`);
}

function describeTrace({ exchanges, result, elapsedMs }: Trace): string {
	const { output, errors, error } = result;
	const happened = exchanges.map(
		({ number, try: tryNumber, request, fault, status, startedAtMs, endedAtMs }) => {
			const { method, path, query, body } = request;
			const sent = { number, try: tryNumber, request: `${method} ${path}`, query, body };
			return { ...sent, fault, came: status, startedAtMs, endedAtMs };
		},
	);
	const came = [...output, ...errors].map(({ json, pairedItem }) => ({ pairedItem, json }));
	return [...happened, { elapsedMs, stopped: error?.message }, ...came]
		.map((line) => JSON.stringify(line).slice(0, 300))
		.slice(0, 60)
		.join('\n');
}
