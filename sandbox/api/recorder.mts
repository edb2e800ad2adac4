import type { Request } from 'express';
import type { OperationId } from '../endpoints/index.mts';

export interface RecordedRequest {
	id: number;
	method: string;
	/** Raw and percent-encoded, without the query. */
	path: string;
	query: Record<string, string | string[]>;
	rawQuery: string;
	headers: Record<string, string>;
	rawBody: string;
	/** Parsed if it is JSON, otherwise the text. Undefined without a body. */
	body: unknown;
	operationId: OperationId | undefined;
	/** Undefined until the response is sent. */
	status: number | undefined;
	/** The kinds of the injected faults, joined by '+'. */
	fault?: string;
	receivedAt: string;
	/** Milliseconds since 1970, with fractions. */
	startedAtMs: number;
	endedAtMs?: number;
}

const nowMs = (): number => performance.timeOrigin + performance.now();

/** Records every request under /v0 in order of arrival, and how many ran at the same time. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	#lastId = 0;
	#inFlight = 0;
	/** Set it to 0 to start a new measurement. */
	peakInFlight = 0;

	start(request: Request, operationId: OperationId | undefined): RecordedRequest {
		const [path, ...queryParts] = request.originalUrl.split('?');
		const rawQuery = queryParts.join('?');
		const record: RecordedRequest = {
			id: ++this.#lastId,
			method: request.method,
			path,
			query: parseQuery(rawQuery),
			rawQuery,
			headers: Object.fromEntries(
				Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
			),
			rawBody: '',
			body: undefined,
			operationId,
			status: undefined,
			receivedAt: new Date().toISOString(),
			startedAtMs: nowMs(),
		};
		this.requests.push(record);
		this.#inFlight++;
		this.peakInFlight = Math.max(this.peakInFlight, this.#inFlight);
		return record;
	}

	/**
	 * Called before the response is sent, so that its receiver finds the request recorded. A second call, when the
	 * connection ends, counts only for requests without a response.
	 */
	end(record: RecordedRequest, status: number | undefined): void {
		if (record.endedAtMs !== undefined) return;
		record.status = status;
		record.endedAtMs = nowMs();
		this.#inFlight--;
	}

	clear(): void {
		this.requests.length = 0;
		this.#lastId = 0;
		this.peakInFlight = this.#inFlight;
	}
}

function parseQuery(rawQuery: string): Record<string, string | string[]> {
	const query: Record<string, string | string[]> = {};
	const parameters = new URLSearchParams(rawQuery);
	for (const name of new Set(parameters.keys())) {
		const values = parameters.getAll(name);
		query[name] = values.length === 1 ? values[0] : values;
	}
	return query;
}
