import { isObject } from './unknown';

/** What is known of a request without a response. */
export interface LostConnection {
	responded: false;
	code?: string;
	/** What the system was asked for, e.g. `connect`. Older versions of n8n lose it. */
	syscall?: string;
	reason: string;
	/** n8n refused to send the request, by a rule of its own. */
	isRefusal?: boolean;
}

/** The code and text of a lost connection, wherever n8n's wrapping put them: older versions lose what caused an error. */
export function readLoss(error: unknown): LostConnection {
	const chain: Array<Record<string, unknown>> = [];
	for (let at = error; isObject(at) && chain.length < 5; at = at.cause) chain.push(at);
	const code = ['code', 'httpCode']
		.flatMap((name) => chain.map((link) => link[name]))
		.find((each): each is string => typeof each === 'string' && /^[A-Z][A-Z0-9_]+$/.test(each));
	const syscall = chain
		.map((link) => link.syscall)
		.find((each): each is string => typeof each === 'string');
	const cause = chain.at(-1);
	return {
		responded: false,
		code,
		syscall,
		reason: typeof cause?.message === 'string' ? cause.message : String(error),
		isRefusal: isOfN8n(cause),
	};
}

/** n8n's own errors have a level. A NodeApiError without a cause stands for whatever the network did. */
function isOfN8n(cause: Record<string, unknown> = {}): boolean {
	return typeof cause.level === 'string' && cause.name !== 'NodeApiError';
}
