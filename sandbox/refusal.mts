export interface BreachDetail {
	path: string;
	message: string;
}

/** A request that the sandbox answers with an error. */
export class Refusal extends Error {
	readonly status: number;
	readonly code: string;
	readonly details: BreachDetail[] | undefined;

	constructor(status: number, code: string, message: string, details?: BreachDetail[]) {
		super(message);
		this.status = status;
		this.code = code;
		this.details = details;
	}
}

export const breach = (message: string): Refusal => new Refusal(400, 'invalid_request', message);

export const unknownRecord = (what: string, id: string): Refusal =>
	new Refusal(404, 'not_found', `There is no ${what} with the ID '${id}'`);

const codes: Record<number, string> = {
	400: 'invalid_request',
	401: 'unauthorized',
	405: 'unknown_endpoint',
	413: 'body_too_large',
	415: 'unsupported_media_type',
};

/** What the validator and the body parser throw. */
interface HttpError {
	status: number;
	message: string;
	errors?: { path?: string; message: string }[];
}

const isHttpError = (error: unknown): error is HttpError =>
	error instanceof Error && 'status' in error && typeof error.status === 'number';

const partOfMessage = /^\/(body|query|params|headers|response)\b/;

/** The refusal that tells what was thrown, each breach by its place and its rule. */
export function explain(error: unknown): Refusal {
	if (error instanceof Refusal) return error;
	if (!isHttpError(error)) return new Refusal(500, 'sandbox_failure', String(error));
	const details = (error.errors ?? []).flatMap(({ path, message }) =>
		path !== undefined && partOfMessage.test(path) ? { path: path.slice(1), message } : [],
	);
	const breaches = details.map(({ path, message }) => `${path} ${message}`).join('; ');
	const code = codes[error.status] ?? 'sandbox_failure';
	return new Refusal(
		error.status,
		code,
		breaches || error.message,
		details.length > 0 ? details : undefined,
	);
}
