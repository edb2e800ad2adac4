import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/request';
import { type Generation, type History, noHistory, type Reading } from './history';
import { readKnown, writeKnown } from './known';

/** The version of the form in which a state is stored. */
const version = 1;

/** A trigger's state, as n8n stores it between polls. */
export interface StoredState extends IDataObject {
	version: typeof version;
	/** What it is about: event, page or account, and service. */
	scope: string;
	/** A fingerprint of the API key with which it was read. Earlier versions wrote none. */
	key?: string;
	/** Milliseconds. A later state of a scope has a greater one, whatever the clock does. */
	writtenAt: number;
	history: IDataObject;
}

export function writeState(
	scope: string,
	{ readAt, generations, open }: History,
	writtenAt: number,
	key?: string,
): StoredState {
	const history = {
		...(readAt === undefined ? {} : { readAt }),
		generations: generations.map(({ known, ...rest }) => ({ ...rest, known: writeKnown(known) })),
		...(open ? { open: writeReading(open) } : {}),
	};
	return { version, scope, ...(key === undefined ? {} : { key }), writtenAt, history };
}

/** JSON has no Infinity: null stands for pages as large as the service likes. */
function writeReading({ limit, seen, ...rest }: Reading): IDataObject {
	return {
		...rest,
		limit: limit === undefined || limit === Infinity ? null : limit,
		...(seen ? { seen: writeKnown(seen) } : {}),
	};
}

/** undefined for what is no state of this scope, or one of a later version of this package. */
export function readState(value: unknown, scope: string): StoredState | undefined {
	if (!isObject(value) || value.version !== version || value.scope !== scope) return undefined;
	const { key, writtenAt, history } = value;
	if (typeof writtenAt !== 'number' || !isObject(history)) return undefined;
	return {
		version,
		scope,
		...(typeof key === 'string' ? { key } : {}),
		writtenAt,
		history: history as IDataObject,
	};
}

/** None for a state that cannot be read. */
export function readHistory(state: StoredState | undefined): History {
	const { readAt, generations, open } = state?.history ?? {};
	if (!Array.isArray(generations)) return noHistory;
	try {
		return {
			...(typeof readAt === 'number' ? { readAt } : {}),
			generations: generations.map(readGeneration),
			...(isObject(open) ? { open: readReading(open as IDataObject) } : {}),
		};
	} catch {
		return noHistory;
	}
}

function readGeneration(value: unknown): Generation {
	if (!isObject(value)) throw new RangeError('Not a generation');
	const { since, from, known } = value;
	return {
		since: Number(since),
		from: typeof from === 'number' ? from : null,
		known: readKnown(String(known)),
	};
}

function readReading(value: IDataObject): Reading {
	const { startedAt, from, position, limit, restarts, takesStock, seen, newest } = value;
	return {
		startedAt: Number(startedAt),
		from: typeof from === 'number' ? from : null,
		position: typeof position === 'string' || typeof position === 'number' ? position : undefined,
		limit: typeof limit === 'number' ? limit : Infinity,
		restarts: Number(restarts ?? 0),
		takesStock: takesStock === true,
		// Earlier versions put this among the generations.
		...(typeof seen === 'string' ? { seen: readKnown(seen) } : {}),
		...(typeof newest === 'number' ? { newest } : {}),
	};
}

/** How long n8n may take to store what a poll emits: usually milliseconds, but more on a machine that is busy. */
const handOverMs = 30_000;

/**
 * The states on their way to n8n. It stores a state when a poll emits, but not when it gives nothing, and nothing of the
 * poll at publishing under durable cursors.
 */
export class HandOver {
	/** The latest state that n8n is known to have, or that follows from one without anything emitted. */
	private sure?: StoredState;

	/** What the latest poll with records returned, and when. */
	private emitted?: { state: StoredState; at: number };

	/**
	 * Whether n8n may still be storing what another poll returned. With n8n's scheduler, a poll may begin with the state
	 * from before that one, and would return the same records again.
	 * @param stored what n8n hands out for the scope
	 */
	isUnderWay(stored: StoredState | undefined, scope: string): boolean {
		const { emitted } = this;
		if (emitted?.state.scope !== scope) return false;
		const isStored = (stored?.writtenAt ?? -Infinity) >= emitted.state.writtenAt;
		const age = Date.now() - emitted.at;
		return !isStored && age >= 0 && age < handOverMs;
	}

	/**
	 * The state to go on from. An older one than that known here was followed by nothing but polls without records, or
	 * was put back by an execution that started before it.
	 * @param stored what n8n hands out for the scope
	 */
	findState(stored: StoredState | undefined, scope: string): StoredState | undefined {
		if (this.sure?.scope !== scope) this.sure = undefined;
		if (stored && stored.writtenAt > (this.sure?.writtenAt ?? -Infinity)) this.sure = stored;
		return this.sure;
	}

	/**
	 * What follows from a poll. After one with records, which n8n has to store together with the execution that they
	 * start, n8n shows whether it has taken them: it drops them together with the state when the workflow changed
	 * meanwhile, and they must be found again.
	 */
	note(state: StoredState, isEmitted: boolean): void {
		if (isEmitted) this.emitted = { state, at: Date.now() };
		else this.sure = state;
	}
}
