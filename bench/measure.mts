import { writeTable } from '../tools/docs/markdown.mts';
import type { NodeRun } from './probe.mts';

/** A line of a subject's table. */
export type Row = string[];

/**
 * Runs all sides in turn, so that whatever else the machine does affects all of them. Every second round is in reverse,
 * so that no side always follows the same one. Before that, each side runs once: n8n loads nodes, and Node compiles, at
 * first use.
 * @returns the median of each side, in milliseconds
 */
export async function measureInTurn(
	sides: Array<() => Promise<{ ms: number }>>,
	rounds = 3,
): Promise<number[]> {
	for (const side of sides) await side();
	const values = new Map(sides.map((side): [typeof side, number[]] => [side, []]));
	for (let round = 1; round <= rounds; round++)
		for (const side of round % 2 ? sides : sides.toReversed())
			values.get(side)?.push((await side()).ms);
	for (const all of values.values()) console.log(`  ${all.map(Math.round).join(', ')} ms`);
	return [...values.values()].map((all) => all.toSorted((a, b) => a - b)[rounds >> 1]);
}

/** @param atMost the goal for the ratio, which other programs on the machine disturb less than the times */
export function compare(what: string, own: number, peer: number, atMost: number): Row {
	const goal = own / peer > atMost ? `${atMost}, missed` : String(atMost);
	return [what, seconds(own), seconds(peer), (own / peer).toFixed(2), goal];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;

/** What no other node does in one run. */
export const describeLargeRun = (what: string, { ms, addedBytes }: NodeRun): Row[] => [
	[what, seconds(ms), '', '', ''],
	["The memory that it added to n8n's process", `${(addedBytes / 1e6).toFixed(0)} MB`, '', '', ''],
];

export const writeRows = (peer: string, rows: Row[]): string =>
	writeTable(['', 'Page Audience', peer, 'Ratio', 'Goal: at most'], rows);

/** A side that did not finish its work has no time. */
export function requireEqual(what: string, expected: unknown, got: unknown): void {
	if (expected !== got)
		throw new Error(`${what}: expected ${String(expected)}, found ${String(got)}`);
}
