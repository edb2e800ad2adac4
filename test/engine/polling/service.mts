import type { IDataObject } from 'n8n-workflow';
import {
	type CursorPage,
	type OffsetPage,
	takeByOffset,
} from '../../../sandbox/endpoints/paging.mts';
import { defaultGuesses } from '../../../sandbox/guesses.mts';
import { Randomness } from '../../../sandbox/store/randomness.mts';
import type { Reply, WireRequest } from '../properties/wire.mts';

/** A record as it is in the service over time. */
export interface Fact {
	id: string;
	/** Its own date. */
	startedAt: number;
	/** From when on lists show it. */
	appearsAt: number;
	/** What it looks like from a moment on; the first entry holds from the start. */
	contents: Content[];
	/** When the service computed it anew: lists from a date on then show it again. */
	recomputedAt?: number[];
}

export interface Content {
	from: number;
	content: string;
	/** Of its latest form submission: null without one, blank where the service has assigned no ID yet. */
	form?: string | null;
}

export type Edge = 'included' | 'excluded' | 'whole days';

const dayMs = 86_400_000;

/** The lists of the API that can be polled. Their order, and the edges of the date filter, are not documented. */
export class PolledService {
	facts: Fact[] = [];
	edge: Edge = 'included';
	/** Each listing has an order of its own; otherwise the order in which records were added. */
	isShuffled = false;
	largestLimit = 10;
	/** Before the next request is answered. Throws or returns what happens instead. */
	onRequest: () => Promise<Reply | undefined> = async () => await Promise.resolve(undefined);
	/** Cursors of listings up to here are refused. */
	forgottenListing = 0;
	/** When a listing first came to its end. */
	firstListedAt?: number;
	requests = 0;

	readonly #listings: string[][] = [];

	async answer({ path, query }: WireRequest): Promise<Reply> {
		this.requests++;
		const instead = await this.onRequest();
		if (instead) return instead;
		if (path.endsWith('/interactions'))
			return { status: 200, body: { found: true, interactions: [] } };
		const limit = Number(query.limit ?? this.largestLimit);
		if (limit > this.largestLimit) return { status: 400, body: { message: 'limit is too large' } };
		if (path.endsWith('/activity')) {
			const ids = this.#visible().map(({ id }) => id);
			return this.#respond(path, this.#take(ids, limit, Number(query.offset ?? 0)));
		}
		const [listing, at] = (query.cursor ?? `${this.#list(query.startDate)}:0`)
			.split(':')
			.map(Number);
		if (listing <= this.forgottenListing)
			return { status: 400, body: { message: 'unknown cursor' } };
		const { nextOffset, ...page } = this.#take(this.#listings[listing - 1], limit, at);
		const nextCursor = nextOffset === null ? null : `${listing}:${nextOffset}`;
		return this.#respond(path, { ...page, nextCursor });
	}

	forgetListings(): void {
		this.forgottenListing = this.#listings.length;
	}

	/** What it looks like now. */
	look({ contents }: Fact, now = Date.now()): Content {
		return contents.findLast(({ from }) => from <= now) ?? contents[0];
	}

	#take(ids: string[], limit: number, offset: number): OffsetPage<string> {
		const page = takeByOffset(ids, { limit, offset }, { ...defaultGuesses, maximumLimit: limit });
		if (!page.hasMore) this.firstListedAt ??= Date.now();
		return page;
	}

	#respond(path: string, page: CursorPage<string> | OffsetPage<string>): Reply {
		const byId = new Map(this.facts.map((fact) => [fact.id, fact]));
		const items = page.items.map((id) => this.#write(path, byId.get(id)));
		return { status: 200, body: { ...page, items } };
	}

	#write(path: string, fact?: Fact): IDataObject {
		if (!fact) throw new Error('Records are never removed');
		const { id, startedAt } = fact;
		const date = new Date(startedAt).toISOString();
		const { content, form = null } = this.look(fact);
		if (path.endsWith('/persons')) return { personId: id, name: content, createdAt: date };
		if (path.endsWith('/activity')) return { activityId: id, type: content, createdAt: date };
		return {
			audienceSessionId: id,
			formSubmissionId: form ?? '',
			hasFormSubmit: form !== null,
			formSubmissionEmail: content,
			sessionStartedAt: date,
		};
	}

	#visible(): Fact[] {
		return this.facts.filter(({ appearsAt }) => appearsAt <= Date.now());
	}

	/** @returns its number, from 1 */
	#list(startDate?: string): number {
		const ids = this.#visible()
			.filter(
				({ startedAt, recomputedAt = [] }) =>
					startDate === undefined ||
					[startedAt, ...recomputedAt].some(
						(at) => at <= Date.now() && this.#isFrom(at, startDate),
					),
			)
			.map(({ id }) => id);
		const order = this.isShuffled ? shuffle(ids, this.#listings.length + 1) : ids;
		return this.#listings.push(order);
	}

	#isFrom(moment: number, startDate: string): boolean {
		const start = Date.parse(startDate);
		if (this.edge === 'included') return moment >= start;
		if (this.edge === 'excluded') return moment > start;
		return moment >= Math.floor(start / dayMs) * dayMs;
	}
}

/** The same for the same seed. */
function shuffle<T>(values: T[], seed: number): T[] {
	const randomness = new Randomness(seed);
	return values
		.map((value) => ({ value, rank: randomness.next() }))
		.sort((a, b) => a.rank - b.rank)
		.map(({ value }) => value);
}
