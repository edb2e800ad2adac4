import { ApiError, toApiError } from './errors.mts';
import { defaultGuesses, type Guesses } from './guesses.mts';
import { doWork, findOperation, listOperations } from './operations.mts';
import { Store } from './store/store.mts';

interface RequestInProcess {
	method: string;
	/** Percent-encoded, without the query. */
	path: string;
	query: Record<string, string>;
	body: unknown;
}

/** The API without a network, for tests in fake time. It checks neither the API key nor requests and responses. */
export class SandboxInProcess {
	readonly store = new Store();
	readonly guesses: Guesses = { ...defaultGuesses };
	readonly #operations = listOperations();

	answer({ method, path, query, body }: RequestInProcess): { status: number; body: object } {
		try {
			const operation = findOperation(this.#operations, method, path);
			if (!operation) throw new ApiError(404, 'unknown_endpoint', `Unknown: ${method} ${path}`);
			const { store, guesses } = this;
			const numbered = { ...query, ...readNumbers(query) };
			const reply = doWork(operation, { store, guesses, rawPath: path, query: numbered, body });
			// As it is now: records change in place.
			return { status: reply.status, body: structuredClone(reply.body) };
		} catch (error) {
			const { status, body: answer } = toApiError(error);
			return { status, body: answer };
		}
	}
}

function readNumbers({ limit, offset }: Record<string, string | undefined>) {
	return {
		...(limit !== undefined && { limit: Number(limit) }),
		...(offset !== undefined && { offset: Number(offset) }),
	};
}
