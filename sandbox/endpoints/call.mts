import type { Guesses } from '../guesses.mts';
import type { operations } from '../openapi.d.mts';
import type { Store } from '../store/store.mts';

export type OperationId = keyof operations;

type Parameters<Id extends OperationId> = operations[Id]['parameters'];
type Body<Id extends OperationId> = JsonOf<operations[Id]['requestBody']>;
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** A request that passed validation against openapi.yaml, so the types hold. */
export interface Call<Id extends OperationId> {
	store: Store;
	guesses: Guesses;
	params: NonNullable<Parameters<Id>['path']>;
	query: NonNullable<Parameters<Id>['query']>;
	body: Body<Id>;
}

/** A response with another status than the documented one. */
export class EndpointReply {
	readonly status: number;
	readonly body: object;

	constructor(status: number, body: object) {
		this.status = status;
		this.body = body;
	}
}

/** Does the work of an endpoint and returns the body of the response, or a whole `Reply`. */
export type Handlers = { [Id in OperationId]: (call: Call<Id>) => object };
