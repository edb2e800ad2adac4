import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/request';
import { type Generation, type History, noHistory, type Reading } from './history';
import { type Known, readKnown, writeKnown } from './known';

/** The version of the form in which a state is stored. */
const version = 1;

/** What a state is about. */
export interface StateOwner {
	/** Stands for the event, the page or account, and the service. */
	scope: string;
	/** A fingerprint of the API key with which it was read. Earlier versions wrote none. */
	key?: string;
	/** The chosen fields, whose contents are stored. */
	fields?: readonly string[];
}

/** What n8n stores of one list between polls. */
export interface StoredState extends IDataObject {
	version: typeof version;
	scope: string;
	key?: string;
	fields?: string[];
	/** Milliseconds. A later state of a scope has a greater one, whatever the clock does. */
	writtenAt: number;
	history: IDataObject;
}

export function writeState(
	{ scope, key, fields = [] }: StateOwner,
	{ readAt, generations, open }: History,
	writtenAt: number,
): StoredState {
	const history = {
		readAt,
		generations: generations.map(({ known, ...rest }) => ({ ...rest, ...writeKnown(known) })),
		open: open && writeReading(open),
	};
	return { version, scope, key, fields: [...fields], writtenAt, history };
}

/** JSON has no Infinity: its null stands for pages as large as the service likes. */
function writeReading({ seen, ...rest }: Reading): IDataObject {
	const { known, fieldContents } = seen ? writeKnown(seen) : {};
	return { ...rest, seen: known, fieldContents };
}

/** undefined for what is no state of this scope, or one of a later version of this package. */
export function readState(value: unknown, scope: string): StoredState | undefined {
	if (!isObject(value) || value.version !== version || value.scope !== scope) return undefined;
	const { key, fields, writtenAt, history } = value;
	if (typeof writtenAt !== 'number' || !isObject(history)) return undefined;
	return {
		version,
		scope,
		key: typeof key === 'string' ? key : undefined,
		fields: Array.isArray(fields) ? fields.map(String) : undefined,
		writtenAt,
		history: history as IDataObject,
	};
}

/**
 * None for a state that cannot be read.
 * @param fields those that are chosen now
 */
export function readHistory(
	state: StoredState | undefined,
	fields: readonly string[] = [],
): History {
	const { readAt, generations, open } = state?.history ?? {};
	const readText = (known: string, contents: unknown) =>
		readKnown(
			{ known, fieldContents: typeof contents === 'string' ? contents : undefined },
			state?.fields,
			fields,
		);
	try {
		return {
			readAt: typeof readAt === 'number' ? readAt : undefined,
			generations: (generations as unknown[]).map((each) => readGeneration(each, readText)),
			open: isObject(open) ? readReading(open as IDataObject, readText) : undefined,
		};
	} catch {
		return noHistory;
	}
}

type ReadText = (known: string, fieldContents: unknown) => Known;

function readGeneration(value: unknown, readText: ReadText): Generation {
	if (!isObject(value)) throw new RangeError('Not a generation');
	const { since, from, known, fieldContents } = value;
	return {
		since: Number(since),
		from: typeof from === 'number' ? from : null,
		known: readText(String(known), fieldContents),
	};
}

function readReading(value: IDataObject, readText: ReadText): Reading {
	const { startedAt, from, position, limit, restarts, takesStock, newest } = value;
	const { seen, fieldContents } = value;
	return {
		startedAt: Number(startedAt),
		from: typeof from === 'number' ? from : null,
		position: typeof position === 'string' || typeof position === 'number' ? position : undefined,
		limit: typeof limit === 'number' ? limit : Infinity,
		restarts: Number(restarts ?? 0),
		takesStock: takesStock === true,
		// Earlier versions put this among the generations.
		seen: typeof seen === 'string' ? readText(seen, fieldContents) : undefined,
		newest: typeof newest === 'number' ? newest : undefined,
	};
}

/** @returns the latest state of a scope that n8n has stored */
export function findStored(data: IDataObject, scope: string): StoredState | undefined {
	const states = listStored(data).flatMap((each) => readState(each, scope) ?? []);
	return states.sort((a, b) => b.writtenAt - a.writtenAt)[0];
}

/**
 * The first list's state has a place of its own, so that an earlier version of this package continues from it. The states
 * of all others are replaced together: a list that is not read any more is forgotten.
 * @param states in the order of the lists; undefined for one without
 */
export function storeStates(data: IDataObject, states: Array<StoredState | undefined>): void {
	const [state, ...others] = states;
	const more = others.filter((each) => each !== undefined);
	const [stateBefore, ...moreBefore] = listStored(data);
	const isSameMore =
		more.length === moreBefore.length && more.every((each, n) => isStored(each, moreBefore[n]));
	// As a whole: n8n notices changes at the top only, and would store what has not changed.
	if (state && !isStored(state, stateBefore)) data.state = state;
	if (!isSameMore) data.more = more;
}

function listStored({ state, more }: IDataObject): unknown[] {
	return [state, ...(Array.isArray(more) ? (more as unknown[]) : [])];
}

function isStored({ scope, writtenAt }: StoredState, value: unknown): boolean {
	return readState(value, scope)?.writtenAt === writtenAt;
}

/** How long n8n may take to store what a poll emits: usually milliseconds, but more on a machine that is busy. */
const handOverMs = 30_000;

/**
 * The states of one list that are on their way to n8n. It stores a state when a poll emits, but not when it gives nothing,
 * and nothing of the poll at publishing under durable cursors.
 */
export class HandOver {
	/** The latest state that n8n is known to have, or that follows from one without anything emitted. */
	private sure?: StoredState;

	/** What the latest poll with records of the list returned, and when. */
	private emitted?: { state: StoredState; at: number };

	/**
	 * Whether n8n may still be storing what another poll returned. With n8n's scheduler, a poll may begin with the state
	 * from before that one, and would return the same records again.
	 * @param stored what n8n hands out
	 */
	isUnderWay(stored: StoredState | undefined): boolean {
		const { emitted } = this;
		if (!emitted) return false;
		const isStored = (stored?.writtenAt ?? -Infinity) >= emitted.state.writtenAt;
		const age = Date.now() - emitted.at;
		return !isStored && age >= 0 && age < handOverMs;
	}

	/**
	 * The state to go on from. An older one than that known here was followed by nothing but polls without records, or
	 * was put back by an execution that started before it.
	 * @param stored what n8n hands out
	 */
	findState(stored: StoredState | undefined): StoredState | undefined {
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
