interface ErrorDetail {
	path: string;
	message: string;
}

/** Ends a request with an error response. Its body is a guess too: none is documented. */
export class ApiError extends Error {
	readonly status: number;
	readonly code: string;
	readonly details: ErrorDetail[] | undefined;

	constructor(status: number, code: string, message: string, details?: ErrorDetail[]) {
		super(message);
		this.status = status;
		this.code = code;
		this.details = details;
	}

	get body(): object {
		const { code, message, details } = this;
		return { error: code, message, ...(details && { details }) };
	}
}

export const invalidRequest = (message: string): ApiError =>
	new ApiError(400, 'invalid_request', message);

export const conflict = (message: string): ApiError => new ApiError(409, 'conflict', message);

/** Returns a record that was looked up, or ends the request with 404. `what` starts a sentence: `Page link`. */
export function found<T>(record: T | undefined, what: string, id: string): T {
	if (record === undefined) throw new ApiError(404, 'not_found', `${what} '${id}' was not found`);
	return record;
}

const codes: Record<number, string> = {
	400: 'invalid_request',
	401: 'unauthorized',
	405: 'unknown_endpoint',
	413: 'body_too_large',
	415: 'unsupported_media_type',
};

/** Thrown by the validator and the body parser. */
interface HttpError {
	status: number;
	message: string;
	errors?: { path?: string; message: string }[];
}

const isHttpError = (error: unknown): error is HttpError =>
	error instanceof Error && 'status' in error && typeof error.status === 'number';

const partOfMessage = /^\/(body|query|params|headers|response)\b/;

/** Turns whatever was thrown into an error response that lists each invalid part with its rule. */
export function toApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	if (!isHttpError(error)) return new ApiError(500, 'sandbox_failure', String(error));
	const details = (error.errors ?? []).flatMap(({ path, message }) =>
		path !== undefined && partOfMessage.test(path) ? { path: path.slice(1), message } : [],
	);
	const listed = details.map(({ path, message }) => `${path} ${message}`).join('; ');
	return new ApiError(
		error.status,
		codes[error.status] ?? 'sandbox_failure',
		listed || error.message,
		details.length > 0 ? details : undefined,
	);
}
