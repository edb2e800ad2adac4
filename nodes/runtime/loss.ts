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
	const cause = chain.at(-1);
	// Node.js tries each address of a host, and its error for all of them has a code, but no message.
	const attempts = Array.isArray(cause?.errors) ? cause.errors.filter(isObject) : [];
	const links: Array<Record<string, unknown>> = [...chain, ...attempts];
	const syscall = links.map((link) => link.syscall).find(isText);
	const said = [cause ?? {}, ...attempts].map(({ message }) => message).filter(isText);
	return {
		responded: false,
		code,
		syscall,
		reason: said.join('; ') || (code ?? String(error)),
		isRefusal: isOfN8n(cause),
	};
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** n8n's own errors have a level. A NodeApiError without a cause stands for whatever the network did. */
function isOfN8n(cause: Record<string, unknown> = {}): boolean {
	return typeof cause.level === 'string' && cause.name !== 'NodeApiError';
}
