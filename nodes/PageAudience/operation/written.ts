import type { IDataObject } from 'n8n-workflow';
import { RecentMap } from '../../runtime/recentMap';

/** How long a search and a list may miss a record that exists. */
const lagMs = 60_000;

/** The records that this process has written, by the service and a key. Those that no run can need any more are deleted. */
const recent = new RecentMap<string, { record: IDataObject; at: number }>(10_000);

/** One for each run that has not ended, the earliest first. */
const open = new Set<WrittenRecords>();

/**
 * What a run of the node has written, and what others in this process have written in the meantime: parallel calls of an
 * agent, and executions. A list that the run read before, or one that lags behind, does not show it.
 */
export class WrittenRecords {
	private readonly startedAt = Date.now();

	private readonly own = new Map<string, IDataObject>();

	private readonly service: string;

	/**
	 * @param service and API key, as one text
	 * @param ended aborted when the run has ended
	 */
	constructor(service: string, ended: AbortSignal) {
		this.service = service;
		open.add(this);
		WrittenRecords.forgetOld();
		ended.addEventListener('abort', () => {
			open.delete(this);
			WrittenRecords.forgetOld();
		});
	}

	/** What this run itself has written. */
	findOwn(key: string): IDataObject | undefined {
		return this.own.get(key);
	}

	/** What any run has written since shortly before this one began. */
	findRecent(key: string): IDataObject | undefined {
		const found = recent.get(this.in(key));
		return found && found.at > this.startedAt - lagMs ? found.record : undefined;
	}

	/** @param isDryRun nothing was written, but the items that follow find it */
	add(keys: string[], record: IDataObject, isDryRun: boolean): void {
		for (const key of keys) {
			this.own.set(key, record);
			if (!isDryRun) recent.set(this.in(key), { record, at: Date.now() });
		}
	}

	/** Deletes what neither a run that has not ended nor one that begins now would find. */
	private static forgetOld(): void {
		const [earliest] = open;
		const since = (earliest?.startedAt ?? Date.now()) - lagMs;
		for (const [key, { at }] of recent) {
			if (at > since) break;
			recent.delete(key);
		}
	}

	private in(key: string): string {
		return `${this.service} ${key}`;
	}
}
