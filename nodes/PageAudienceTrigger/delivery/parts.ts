import type { EventKind } from '../../parameters/eventKinds';
import { recognizeKind, type Told } from './kinds';

/** One event of a delivery: the body, or an element of a list. */
export interface Part {
	content: unknown;
	/** null when it is unknown */
	kind: EventKind | null;
}

/** An empty list has no elements that could be events, so it is one itself. */
export function isBatch(body: unknown): body is unknown[] {
	return Array.isArray(body) && body.length > 0;
}

/** Each element of a list has a kind of its own. A header counts for all of them. */
export function readParts({ body, headers }: Told): Part[] {
	const contents = isBatch(body) ? body : [body];
	return contents.map((content) => ({
		content,
		kind: recognizeKind({ body: content, headers }),
	}));
}

/**
 * The parts of each output.
 * @param kinds those that have an output of their own. The last output is for all others.
 */
export function divide(parts: Part[], kinds: EventKind[]): Part[][] {
	return [
		...kinds.map((each) => parts.filter(({ kind }) => kind === each)),
		parts.filter(({ kind }) => kind === null || !kinds.includes(kind)),
	];
}

/** @returns null where the parts have several kinds, or one is unknown */
export function readSharedKind(parts: Part[]): Part['kind'] {
	const [kind = null, ...others] = new Set(parts.map((part) => part.kind));
	return others.length === 0 ? kind : null;
}
