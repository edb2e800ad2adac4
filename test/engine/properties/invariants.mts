import { type Evidence, gather } from './evidence.mts';
import * as output from './invariants/output.mts';
import * as traffic from './invariants/traffic.mts';
import * as writes from './invariants/writes.mts';
import type { Event, Play } from './play.mts';

/** What must hold in every run: says what does not, one line for each breach. */
type Invariant = (evidence: Evidence) => string[];

const invariants: Record<string, Invariant> = { ...output, ...traffic, ...writes };

/** @throws with everything that did not hold, and with what happened */
export function judge(played: Play): void {
	const evidence = gather(played);
	const breaches = Object.entries(invariants).flatMap(([name, invariant]) =>
		invariant(evidence).map((breach) => `${name}: ${breach}`),
	);
	if (breaches.length > 0) throw new Error(`${breaches.join('\n')}\n${describePlay(played)}`);
}

function describePlay({ events, result, elapsedMs }: Play): string {
	const { output, errors, error } = result;
	const came = [...output, ...errors].map(({ json, pairedItem }) => ({ pairedItem, json }));
	return [
		...events.map(describeEvent),
		`took ${elapsedMs} ms`,
		...(error ? [`stopped: ${error.message}`] : came.map((each) => JSON.stringify(each))),
	]
		.map((line) => line.slice(0, 300))
		.slice(0, 60)
		.join('\n');
}

function describeEvent(event: Event): string {
	const { request, reply, fault, startedAtMs, number, try: run } = event;
	const { method, path, query, body } = request;
	const asked = `${method} ${path} ${JSON.stringify({ query, body })}`;
	const came = fault ?? (reply && 'status' in reply ? reply.status : reply);
	const at = new Date(startedAtMs).toISOString().slice(14, 23);
	return `${number}. try ${run}, ${at} ${asked} -> ${JSON.stringify(came)}`;
}
