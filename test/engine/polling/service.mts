import type { IDataObject } from 'n8n-workflow';
import { takeByOffset } from '../../../sandbox/endpoints/paging.mts';
import { defaultGuesses } from '../../../sandbox/guesses.mts';
import { Randomness } from '../../../sandbox/store/randomness.mts';
import type { NetworkRequest, Reply } from '../fakeNetwork.mts';

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
	/** Of a session. */
	page?: string;
}

export const firstPage = 'page_1';
/** Of somebody whose records are other ones. */
export const foreignKey = 'the key of another tenant';

export interface Content {
	from: number;
	content: string;
	/** Of its latest form submission: null without one, blank where the service has assigned no ID yet. */
	form?: string | null;
}

export type Edge = 'included' | 'excluded' | 'whole days';

/** What happens in place of a response, if anything does, and when. */
type Disturbance = (request: NetworkRequest) => Promise<Reply | undefined> | Reply | undefined;

/** The records of a page, or all others, in the order in which they are listed. */
type Listing = { page: string; facts: Fact[] };
/** Which part of it is asked for, and as of when. */
type Place = { path: string; limit: number; offset: number; at: number; listing?: number };

const dayMs = 86_400_000;

/** The lists of the API that can be polled. Their order, and the edges of the date filter, are not documented. */
export class PolledService {
	facts: Fact[] = [];
	tenantId = 'tenant_1';
	/** The people of another tenant, which has neither the pages nor the accounts. */
	foreign?: PolledService;
	edge: Edge = 'included';
	/** Each listing has an order of its own; otherwise the order in which records were added. */
	isShuffled = false;
	/** How many records it counts, but does not list, such as deleted ones. */
	hidden = 0;
	largestLimit = 10;
	/** Before the next request is answered. */
	onRequest: Disturbance = () => undefined;
	/** How old a response is, as behind a cache or a read replica. */
	lagMs: () => number = () => 0;
	/** What it responds to a position that it has forgotten. */
	expired: Reply = { status: 400, body: { message: 'unknown cursor' } };
	/** When a listing of a page, or of all other records, first came to its end, for sure. */
	readonly firstListed = new Map<string, number>();
	requests = 0;

	readonly #listings: Listing[] = [];
	/** Cursors of listings up to here are forgotten. */
	#forgottenListing = 0;
	#forgetsOffsets = false;
	#isPrompt = true;

	async answer(request: NetworkRequest): Promise<Reply> {
		const { path, query, headers } = request;
		if (this.foreign && headers['x-api-key'] === foreignKey)
			return /\/(?:pages|accounts)\//.test(path)
				? { status: 404, body: 'no' }
				: await this.foreign.answer(request);
		this.requests++;
		const begun = Date.now();
		const instead = await this.onRequest(request);
		// A poll may be over before a late response comes.
		this.#isPrompt = Date.now() === begun;
		if (instead) return instead;
		if (path.endsWith('/interactions'))
			return { status: 200, body: { found: true, interactions: [] } };
		const at = Date.now() - this.lagMs();
		const limit = Number(query.limit ?? this.largestLimit);
		if (limit > this.largestLimit) return { status: 400, body: { message: 'limit is too large' } };
		const page = pageOf(path);
		if (path.endsWith('/activity')) {
			const offset = Number(query.offset ?? 0);
			if (offset === 0) this.#forgetsOffsets = false;
			if (this.#forgetsOffsets) return this.expired;
			return this.#respond({ page, facts: this.#visible(page, at) }, { path, limit, offset, at });
		}
		const cursor = query.cursor ?? `${this.#list(page, at, query.startDate)}:0`;
		const [listing, offset] = cursor.split(':').map(Number);
		if (listing <= this.#forgottenListing) return this.expired;
		return this.#respond(this.#listings[listing - 1], { path, limit, offset, at, listing });
	}

	forgetListings(): void {
		this.#forgottenListing = this.#listings.length;
		this.#forgetsOffsets = true;
	}

	/** What it looks like now. */
	look({ contents }: Fact, now = Date.now()): Content {
		return contents.findLast(({ from }) => from <= now) ?? contents[0];
	}

	/** A page of a listing, by cursor where the listing has a number. */
	#respond({ page, facts }: Listing, { path, limit, offset, at, listing }: Place): Reply {
		const guesses = { ...defaultGuesses, maximumLimit: limit };
		const { nextOffset, ...taken } = takeByOffset(facts, { limit, offset }, guesses);
		if (!taken.hasMore && this.#isPrompt && !this.firstListed.has(page))
			this.firstListed.set(page, Date.now());
		const items = taken.items.map((fact) => this.write(path, fact, this.look(fact, at)));
		const nextCursor = nextOffset === null ? null : `${listing}:${nextOffset}`;
		const next = listing === undefined ? { nextOffset } : { nextCursor };
		const totalCount = taken.totalCount + this.hidden;
		return { status: 200, body: { ...taken, ...next, items, totalCount } };
	}

	/** A record as a list shows it. */
	write(path: string, fact: Fact, { content, form = null } = this.look(fact)): IDataObject {
		const { id, startedAt } = fact;
		const date = new Date(startedAt).toISOString();
		if (path.endsWith('/persons'))
			return { personId: id, tenantId: this.tenantId, name: content, slug: form, createdAt: date };
		if (path.endsWith('/activity')) return { activityId: id, type: content, createdAt: date };
		return {
			audienceSessionId: id,
			pageId: pageOf(path),
			formSubmissionId: form ?? '',
			hasFormSubmit: form !== null,
			formSubmissionEmail: content,
			sessionStartedAt: date,
		};
	}

	#visible(of: string, at: number): Fact[] {
		return this.facts.filter(({ page = firstPage, appearsAt }) => page === of && appearsAt <= at);
	}

	/** @returns its number, from 1 */
	#list(page: string, now: number, startDate?: string): number {
		const facts = this.#visible(page, now).filter(
			({ startedAt, recomputedAt = [] }) =>
				startDate === undefined ||
				[startedAt, ...recomputedAt].some((at) => at <= now && this.#isFrom(at, startDate)),
		);
		const number = this.#listings.length + 1;
		return this.#listings.push({ page, facts: this.isShuffled ? shuffle(facts, number) : facts });
	}

	#isFrom(moment: number, startDate: string): boolean {
		const start = Date.parse(startDate);
		if (this.edge === 'included') return moment >= start;
		if (this.edge === 'excluded') return moment > start;
		return moment >= Math.floor(start / dayMs) * dayMs;
	}
}

/** The page whose sessions are asked for. All other records are as those of the first one. */
function pageOf(path: string): string {
	return /\/pages\/([^/]+)\//.exec(path)?.[1] ?? firstPage;
}

/** The same for the same seed. */
function shuffle<T>(values: T[], seed: number): T[] {
	const randomness = new Randomness(seed);
	const ranked = values.map((value) => ({ value, rank: randomness.next() }));
	return ranked.sort((a, b) => a.rank - b.rank).map(({ value }) => value);
}
