import type { Request } from 'express';
import type { OperationId } from './endpoints/call.mts';

export interface RecordedRequest {
	method: string;
	/** Raw and percent-encoded, without the query. */
	path: string;
	/** Of a repeated parameter, the last value. */
	query: Record<string, string>;
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
	/** Milliseconds since 1970, with fractions. */
	startedAtMs: number;
	endedAtMs?: number;
}

const nowMs = (): number => performance.timeOrigin + performance.now();

/** Records every request under /v0 in order of arrival, and how many ran at the same time. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	#inFlight = 0;
	/** Set it to 0 to start a new measurement. */
	peakInFlight = 0;

	start(request: Request, operationId: OperationId | undefined): RecordedRequest {
		const [path, ...queryParts] = request.originalUrl.split('?');
		const rawQuery = queryParts.join('?');
		const headers = Object.entries(request.headers);
		const record: RecordedRequest = {
			method: request.method,
			path,
			query: Object.fromEntries(new URLSearchParams(rawQuery)),
			rawQuery,
			headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
			rawBody: '',
			body: undefined,
			operationId,
			status: undefined,
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
		this.peakInFlight = this.#inFlight;
	}
}
