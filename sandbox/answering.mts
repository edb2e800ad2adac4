import type { Response } from 'express';
import type { Plan } from './faults.mts';
import { describeError } from './guesses.mts';
import { Refusal } from './refusal.mts';

interface Answer {
	status: number;
	headers?: Record<string, string>;
	body: unknown;
}

const injected = (status: number) =>
	describeError(new Refusal(status, 'injected_fault', `The sandbox was told to answer ${status}`));

/** What is answered in place of the real answer, whose status is given; undefined to let it through. */
function chooseAnswer(action: Plan['action'], status: number): Answer | undefined {
	if (action?.kind === 'status') return { ...action, body: action.body ?? injected(action.status) };
	if (action?.kind === 'answer') return { ...action, status: action.status ?? status };
	return undefined;
}

/**
 * Puts the fault between the finished answer and the wire; Express sends every answer through `send`.
 * `onAnswer` is told the status before it leaves, undefined when nothing will.
 */
export function interceptAnswer(
	response: Response,
	action: Plan['action'],
	onAnswer: (status: number | undefined) => void,
): void {
	const send = response.send.bind(response);
	response.send = (body: string) => {
		response.send = send;
		if (action?.kind === 'resetAfter') {
			onAnswer(undefined);
			response.socket?.resetAndDestroy();
			return response;
		}
		const answer = chooseAnswer(action, response.statusCode);
		onAnswer(answer?.status ?? response.statusCode);
		if (answer) return sendInstead(response, answer);
		return action?.kind === 'cutBody' ? cutBody(response, Buffer.from(body)) : send(body);
	};
}

function sendInstead(response: Response, { status, headers = {}, body }: Answer): Response {
	response.status(status);
	const isText = typeof body === 'string';
	response.removeHeader('content-type');
	if (!isText) response.setHeader('content-type', 'application/json; charset=utf-8');
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
	return response.send(isText ? body : JSON.stringify(body));
}

/** The full length is promised, half of it is sent, and the connection ends. */
function cutBody(response: Response, body: Buffer): Response {
	response.setHeader('content-length', body.length);
	response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
	return response;
}
