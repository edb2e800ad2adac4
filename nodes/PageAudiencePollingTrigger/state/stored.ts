import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/request';
import type { Generation, History, Reading } from './history';
import { readKnown, writeKnown } from './known';

/** The version of the form in which a state is stored. */
const version = 1;

/** A trigger's state, as n8n stores it between polls. */
export interface StoredState extends IDataObject {
	version: typeof version;
	/** What it is about: event, page or account, and service. */
	scope: string;
	/** Milliseconds. A later state of a scope has a greater one, whatever the clock does. */
	writtenAt: number;
	history: IDataObject;
}

export function writeState(
	scope: string,
	{ readAt, generations, open }: History,
	writtenAt: number,
): StoredState {
	const history = {
		...(readAt === undefined ? {} : { readAt }),
		generations: generations.map(({ known, ...rest }) => ({ ...rest, known: writeKnown(known) })),
		...(open ? { open: writeReading(open) } : {}),
	};
	return { version, scope, writtenAt, history };
}

/** JSON has no Infinity: null stands for pages as large as the service likes. */
function writeReading({ limit, ...rest }: Reading): IDataObject {
	return { ...rest, limit: limit === undefined || limit === Infinity ? null : limit };
}

/** undefined for what is no state of this scope, or one of a later version of this package. */
export function readState(value: unknown, scope: string): StoredState | undefined {
	if (!isObject(value) || value.version !== version || value.scope !== scope) return undefined;
	const { writtenAt, history } = value;
	if (typeof writtenAt !== 'number' || !isObject(history)) return undefined;
	return { version, scope, writtenAt, history: history as IDataObject };
}

/** @returns undefined for one that cannot be read */
export function readHistory({ history }: StoredState): History | undefined {
	const { readAt, generations, open } = history;
	if (!Array.isArray(generations)) return undefined;
	try {
		return {
			...(typeof readAt === 'number' ? { readAt } : {}),
			generations: generations.map(readGeneration),
			...(isObject(open) ? { open: readReading(open as IDataObject) } : {}),
		};
	} catch {
		return undefined;
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

function readReading({ startedAt, from, position, limit, restarted }: IDataObject): Reading {
	return {
		startedAt: Number(startedAt),
		from: typeof from === 'number' ? from : null,
		position: typeof position === 'string' || typeof position === 'number' ? position : undefined,
		limit: typeof limit === 'number' ? limit : Infinity,
		restarted: restarted === true,
	};
}
