import type { Guesses } from '../guesses.mts';
import type { PageQuery } from '../paging.mts';
import type { Store } from '../store.mts';

export interface Query extends PageQuery {
	query?: string;
	includeEmptyOnly?: string;
	includePersonActivity?: string;
	includeDeleted?: string;
	include?: string;
	startDate?: string;
	endDate?: string;
}

/** One request that the document allows. The types hold because it was checked against the document before. */
export interface Call<Body = unknown> {
	store: Store;
	guesses: Guesses;
	params: Record<string, string>;
	query: Query;
	body: Body;
}

/** What an operation does; what it returns is the body of the answer. */
export type Handler = (call: Call<never>) => object;
