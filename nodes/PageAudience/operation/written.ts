import type { IDataObject } from 'n8n-workflow';
import { RecentMap } from '../../runtime/recentMap';

/** The records that runs of this process have written, by the service and a key, for the others that have not ended. */
const recent = new RecentMap<string, { record: IDataObject; at: number }>(10_000);

/** How many runs have not ended. */
let open = 0;

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
		open++;
		ended.addEventListener('abort', () => {
			if (--open === 0) recent.clear();
		});
	}

	/** What this run itself has written. */
	findOwn(key: string): IDataObject | undefined {
		return this.own.get(key);
	}

	/** What any run has written since this one began. */
	findRecent(key: string): IDataObject | undefined {
		const found = recent.get(this.in(key));
		return found && found.at >= this.startedAt ? found.record : undefined;
	}

	/** @param isDryRun nothing was written, but the items that follow find it */
	add(keys: string[], record: IDataObject, isDryRun: boolean): void {
		for (const key of keys) {
			this.own.set(key, record);
			if (!isDryRun) recent.set(this.in(key), { record, at: Date.now() });
		}
	}

	private in(key: string): string {
		return `${this.service} ${key}`;
	}
}
