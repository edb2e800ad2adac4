import type { Guesses } from '../guesses.mts';
import type { Store } from '../store/store.mts';
import type { PageQuery } from './paging.mts';

export interface Query extends PageQuery {
	query?: string;
	includeEmptyOnly?: string;
	includePersonActivity?: string;
	includeDeleted?: string;
	include?: string;
	startDate?: string;
	endDate?: string;
}

/** A request that passed validation against openapi.yaml, so the types hold. */
export interface Call<Body = unknown> {
	store: Store;
	guesses: Guesses;
	params: Record<string, string>;
	query: Query;
	body: Body;
}

/** A response with another status than the documented one. */
export class Reply {
	readonly status: number;
	readonly body: object;

	constructor(status: number, body: object) {
		this.status = status;
		this.body = body;
	}
}

/** Does the work of an endpoint and returns the body of the response, or a whole `Reply`. */
export type Handler = (call: Call<never>) => object;
