import type { EventKind } from '../records.mts';

/** What the console shows in a row; texts are cut, and secrets hidden. */
export interface Entries {
	requests: {
		id: string;
		at: string;
		method: string;
		path: string;
		operationId?: string;
		/** Absent while nothing was answered, or when nothing ever was. */
		status?: number;
		durationMs?: number;
		fault?: string;
	};
	deliveries: {
		id: string;
		at: string;
		kind: EventKind;
		/** Without its query. */
		url: string;
		status?: number;
		error?: string;
	};
	personLogs: {
		id: string;
		at: string;
		personName: string;
		createdPerson: boolean;
		source: string;
		type: string;
	};
	subscriptions: {
		id: string;
		active: boolean;
		/** Without its query. */
		url: string;
		events: EventKind[] | null;
	};
}

export type Kind = keyof Entries;

/** The newest of a kind, the newest first (of subscriptions the active ones); `total` counts those that are not shown too. */
export interface Shown<K extends Kind = Kind> {
	total: number;
	entries: Entries[K][];
}

/** What a click shows. */
export interface Details {
	title: string;
	facts: [name: string, text: string][];
	parts: { title: string; text: string }[];
}
