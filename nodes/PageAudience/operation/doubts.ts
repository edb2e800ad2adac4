import { RecentMap } from '../../runtime/recentMap';

/** A write of which it is not known whether it succeeded. */
interface Doubt {
	/** Whether it changes a record that existed, and does not create one. */
	existed: boolean;
	/** The run that left it. */
	leftBy: Doubts;
	number: number;
}

/** The last doubt of each key. */
const doubts = new RecentMap<string, Doubt>(10_000);

/** The number of the latest run or doubt. A time would not tell which came first: several share a millisecond. */
let latest = 0;

/**
 * Which records the items of a run may have written, and which ones other runs of this process may have written since it
 * began. A key names a record and its service.
 */
export class Doubts {
	private readonly number = ++latest;

	find(keys: readonly string[]): Pick<Doubt, 'existed'> | undefined {
		const [doubt] = keys
			.flatMap((key) => doubts.get(key) ?? [])
			.filter(({ number }) => number > this.number);
		// What another run has created exists before anything that this one does.
		return doubt && { existed: doubt.leftBy !== this || doubt.existed };
	}

	add(keys: readonly string[], existed: boolean): void {
		for (const key of keys) doubts.set(key, { existed, leftBy: this, number: ++latest });
	}

	end(keys: readonly string[]): void {
		for (const key of keys) doubts.delete(key);
	}
}
