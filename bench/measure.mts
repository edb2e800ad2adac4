import { writeTable } from '../tools/docs/markdown.mts';
import type { NodeRun } from './probe.mts';

/** A line of a subject's table. The goal is the most that the ratio, or the package's own value, should be. */
export type Row = {
	what: string;
	own: string;
	peer?: string;
	ratio?: string;
	goal?: string;
	isMissed?: boolean;
};

/** Each side is measured so often. */
const runs = 3;

/**
 * Runs all sides in turn, so that whatever else the machine does affects all of them. Every second round is in reverse,
 * so that no side always follows the same one. Before that, each side runs once: n8n loads nodes, and Node compiles, at
 * first use.
 * @returns the median of each side, in milliseconds
 */
export async function measureInTurn(
	sides: Array<() => Promise<number>>,
	rounds = runs,
): Promise<number[]> {
	for (const side of sides) await side();
	const values = new Map(sides.map((side): [typeof side, number[]] => [side, []]));
	for (let round = 1; round <= rounds; round++)
		for (const side of round % 2 ? sides : sides.toReversed()) values.get(side)?.push(await side());
	for (const all of values.values()) console.log(`  ${all.map(Math.round).join(', ')} ms`);
	return [...values.values()].map(median);
}

/** For what takes too long to be repeated, and runs the same code as something that was measured before it. */
export async function measureOnce(sides: Array<() => Promise<number>>): Promise<number[]> {
	const values: number[] = [];
	for (const side of sides) values.push(await side());
	return values;
}

export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

export function compare(what: string, own: number, peer: number, atMost: number): Row {
	const ratio = own / peer;
	return {
		what,
		own: seconds(own),
		peer: seconds(peer),
		ratio: ratio.toFixed(2),
		goal: String(atMost),
		isMissed: ratio > atMost,
	};
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;

const mostHoldMs = 250;

/** What a node did to n8n in a large run. */
export function describeLargeRun(what: string, { ms, holdMs, addedBytes }: NodeRun): Row[] {
	return [
		{ what, own: seconds(ms) },
		{
			what: 'The longest time that it held the event loop',
			own: `${holdMs.toFixed(0)} ms`,
			goal: `${mostHoldMs} ms`,
			isMissed: holdMs > mostHoldMs,
		},
		{
			what: "The memory that it added to n8n's process",
			own: `${(addedBytes / 1e6).toFixed(0)} MB`,
		},
	];
}

export function writeRows(peer: string, rows: Row[]): string {
	const cells = rows.map(({ what, own, peer = '', ratio = '', goal = '', isMissed = false }) => [
		...[what, own, peer, ratio],
		isMissed ? `${goal}, missed` : goal,
	]);
	return writeTable(['', 'Page Audience', peer, 'Ratio', 'Goal: at most'], cells);
}

/** A side that did not finish its work has no time. */
export function requireEqual(what: string, expected: unknown, got: unknown): void {
	if (expected !== got)
		throw new Error(`${what}: expected ${String(expected)}, found ${String(got)}`);
}
