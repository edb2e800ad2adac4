import type { Evidence } from './evidence.mts';
import * as everywhere from './invariants/everywhere.mts';
import * as hints from './invariants/hints.mts';
import * as lists from './invariants/lists.mts';
import * as traffic from './invariants/traffic.mts';
import * as writes from './invariants/writes.mts';
import { gather } from './evidence.mts';
import { describeFault } from './faults.mts';
import type { Event, Play } from './play.mts';

/** What must hold in every run: says what does not, one line for each breach. */
export type Invariant = (evidence: Evidence) => string[];

export const invariants: Record<string, Invariant> = {
	...everywhere,
	...hints,
	...lists,
	...traffic,
	...writes,
};

/** What does not hold, by the name of the invariant. */
export function findBreaches(evidence: Evidence): Array<[name: string, breach: string]> {
	return Object.entries(invariants).flatMap(([name, invariant]) =>
		invariant(evidence).map((breach): [string, string] => [name, breach]),
	);
}

/** @throws with everything that did not hold, and with what happened */
export function judge(played: Play): void {
	const evidence = gather(played);
	const breaches = findBreaches(evidence).map(([name, breach]) => `${name}: ${breach}`);
	if (breaches.length > 0) throw new Error(`${breaches.join('\n')}\n${describePlay(evidence)}`);
}

function describePlay({ events, result, elapsedMs, stop }: Evidence): string {
	const show = (each: unknown) => JSON.stringify(each).slice(0, 300);
	const lines = [
		...events.slice(0, 40).map(describeEvent),
		events.length > 40 && `… ${events.length} requests in all`,
		`took ${elapsedMs} ms`,
		stop && `stopped: ${stop.message}`,
		...result.output.slice(0, 12).map(({ json, pairedItem }) => `out ${show([pairedItem, json])}`),
		...result.errors
			.slice(0, 12)
			.map(({ json, pairedItem }) => `error ${show([pairedItem, json])}`),
	];
	return lines.filter(Boolean).join('\n');
}

function describeEvent(
	{ request, reply, fault, startedAtMs, try: run }: Event,
	at: number,
): string {
	const { method, path, query, body } = request;
	const asked = `${method} ${path}${Object.keys(query).length > 0 ? ` ${JSON.stringify(query)}` : ''}${body ? ` ${JSON.stringify(body)}` : ''}`;
	const came = reply && ('lost' in reply ? reply.lost : reply.status);
	return `${at + 1}. try ${run}, ${new Date(startedAtMs).toISOString().slice(14, 23)} ${asked} -> ${fault ? `fault ${describeFault(fault)}` : came}`;
}
