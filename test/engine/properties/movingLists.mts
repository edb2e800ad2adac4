import fc from 'fast-check';
import type { NetworkRequest, Reply } from '../fakeNetwork.mts';

/** A list, and what happens to it while it is read. */
export interface Moves {
	count: number;
	/** The largest page that the service has. */
	pageSize: number;
	/** One kind for a run: where somebody is deleted as somebody else comes, the count shows nothing. */
	kind: 'deleted' | 'added';
	/** Before which of the requests for a later page. */
	at: number[];
	/** Deleted records that the service counts all the same. */
	hidden: number;
}

export const moves: fc.Arbitrary<Moves> = fc.record({
	count: fc.nat({ max: 40 }),
	pageSize: fc.integer({ min: 1, max: 15 }),
	kind: fc.constantFrom('deleted', 'added'),
	at: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 3 }),
	hidden: fc.constantFrom(0, 0, 7),
});

export interface MovingRecord {
	personId: string;
	activityId: string;
	email: string;
	name: string;
}

export function makeRecord(name: string): MovingRecord {
	return { personId: name, activityId: name, email: `${name}@x.example`, name };
}

/** The service's list, whose positions are counted from its start: when an earlier record comes or goes, later ones move. */
export class MovingList {
	now: MovingRecord[];

	/** How often it has moved. */
	moved = 0;

	private laterPages = 0;

	private readonly given: Moves;

	constructor(given: Moves) {
		this.given = given;
		this.now = Array.from({ length: given.count }, (_, n) => makeRecord(`old${n}`));
	}

	answer({ query }: NetworkRequest): Reply {
		const { at, pageSize, hidden } = this.given;
		const start = Number(query.cursor ?? query.offset ?? 0);
		if (start > 0 && at.includes(this.laterPages++)) this.move(start);
		const end = start + Math.min(Number(query.limit ?? pageSize), pageSize);
		const hasMore = end < this.now.length;
		const [nextCursor, nextOffset] = hasMore ? [String(end), end] : [null, null];
		const totalCount = this.now.length + hidden;
		const items = this.now.slice(start, end);
		return { status: 200, body: { items, totalCount, hasMore, nextCursor, nextOffset } };
	}

	private move(start: number): void {
		this.moved++;
		if (this.given.kind === 'added') this.now = [makeRecord(`new${this.moved}`), ...this.now];
		// One of those that were read.
		else this.now = this.now.toSpliced(start - 1, 1);
	}
}
