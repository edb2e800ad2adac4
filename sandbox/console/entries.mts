import type { EventKind } from '../records/index.mts';

/** The rows of the console. Long texts are cut and secrets hidden. */
export interface Entries {
	requests: {
		id: string;
		at: string;
		method: string;
		path: string;
		operationId?: string;
		/** Absent without a response. */
		status?: number;
		durationMs?: number;
		fault?: string;
	};
	deliveries: {
		id: string;
		at: string;
		kind: EventKind;
		/** Without the query. */
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
		/** Without the query. */
		url: string;
		events: EventKind[] | null;
	};
}

export type Kind = keyof Entries;

/** The newest entries of a kind, newest first (active subscriptions before inactive ones). `total` counts all. */
export interface Shown<K extends Kind = Kind> {
	total: number;
	entries: Entries[K][];
}

/** What a click on an entry shows. */
export interface Details {
	title: string;
	facts: [name: string, text: string][];
	parts: { title: string; text: string }[];
}
