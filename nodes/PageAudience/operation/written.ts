import type { IDataObject } from 'n8n-workflow';
import { RecentMap } from '../../runtime/recentMap';
import type { Attempt } from './operation';

/** How long a search and a list may miss a record that exists. */
const lagMs = 60_000;

/** Of each of the two kinds of entries. */
const mostEntries = 10_000;

/** The records that this process has written, by the service and a key. */
const written = new RecentMap<string, { record: IDataObject; at: number }>(mostEntries);

interface Doubt {
	attempt: Pick<Attempt, 'existed'>;
	/** The run that left it. */
	leftBy: WrittenRecords;
}

/** What may have been written, by the service and a key. */
const doubts = new RecentMap<string, Doubt & { number: number }>(mostEntries);

/** Counts runs and doubts, so that a run knows which doubts are newer than itself. */
let count = 0;

/**
 * What a run of the node has written, and what others in this process have written in the meantime: parallel calls of an
 * agent, and executions. A list that the run read before, or one that lags behind, does not show it.
 */
export class WrittenRecords {
	private readonly number = ++count;

	private readonly startedAt = Date.now();

	private readonly own = new Map<string, IDataObject>();

	private readonly service: string;

	/** @param service and API key, as one text */
	constructor(service: string) {
		this.service = service;
	}

	/** What this run itself has written. */
	findOwn(key: string): IDataObject | undefined {
		return this.own.get(key);
	}

	/** What any run has written since shortly before this one began. */
	findRecent(key: string): IDataObject | undefined {
		const found = written.get(this.in(key));
		return found && found.at > this.startedAt - lagMs ? found.record : undefined;
	}

	/** @param isDryRun nothing was written, but the items that follow find it */
	add(keys: string[], record: IDataObject, isDryRun: boolean): void {
		for (const key of keys) {
			this.own.set(key, record);
			if (!isDryRun) written.set(this.in(key), { record, at: Date.now() });
		}
	}

	/** What an item of this run, or one of another run in the meantime, may have written. */
	findDoubt(keys: readonly string[]): Pick<Attempt, 'existed'> | undefined {
		const [doubt] = keys
			.flatMap((key) => doubts.get(this.in(key)) ?? [])
			.filter(({ number }) => number > this.number);
		// What another run has created exists before anything that this one does.
		return doubt && (doubt.leftBy === this ? doubt.attempt : { existed: true });
	}

	addDoubt(keys: readonly string[], attempt: Pick<Attempt, 'existed'>): void {
		for (const key of keys) doubts.set(this.in(key), { attempt, leftBy: this, number: ++count });
	}

	endDoubt(keys: readonly string[]): void {
		for (const key of keys) doubts.delete(this.in(key));
	}

	private in(key: string): string {
		return `${this.service} ${key}`;
	}
}
