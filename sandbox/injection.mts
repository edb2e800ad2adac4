import type { Response } from 'express';
import { ApiError } from './errors.mts';
import type { FaultAction } from './faults.mts';

interface Replacement {
	status: number;
	headers?: Record<string, string>;
	body: unknown;
}

/** Returns the response to send in place of the real one, which has `realStatus`. */
function chooseReplacement(
	action: FaultAction | undefined,
	realStatus: number,
): Replacement | undefined {
	if (action?.kind === 'answer') return { ...action, status: action.status ?? realStatus };
	if (action?.kind !== 'status') return undefined;
	const { status } = action;
	const error = new ApiError(status, 'injected_fault', `The sandbox was told to return ${status}`);
	return { ...action, body: action.body ?? error.body };
}

/**
 * Injects a fault between the finished response and the network. Express sends every response through `send`.
 * `onResponse` gets the status before it is sent, or undefined if nothing will be sent.
 */
export function injectIntoResponse(
	response: Response,
	action: FaultAction | undefined,
	onResponse: (status: number | undefined) => void,
): void {
	const send = response.send.bind(response);
	response.send = (body: string) => {
		response.send = send;
		if (action?.kind === 'resetAfter') {
			onResponse(undefined);
			response.socket?.resetAndDestroy();
			return response;
		}
		const replacement = chooseReplacement(action, response.statusCode);
		onResponse(replacement?.status ?? response.statusCode);
		if (replacement) return sendReplacement(response, replacement);
		return action?.kind === 'cutBody' ? cutBody(response, Buffer.from(body)) : send(body);
	};
}

function sendReplacement(
	response: Response,
	{ status, headers = {}, body }: Replacement,
): Response {
	response.status(status);
	const isText = typeof body === 'string';
	response.removeHeader('content-type');
	if (!isText) response.setHeader('content-type', 'application/json; charset=utf-8');
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
	return response.send(isText ? body : JSON.stringify(body));
}

/** Promises the full length, sends half of it and closes the connection. */
function cutBody(response: Response, body: Buffer): Response {
	response.setHeader('content-length', body.length);
	response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
	return response;
}
