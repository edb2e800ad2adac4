import { ApiClient } from '../../api/client';
import { RequestFailedError } from '../../api/failure';
import { path } from '../../api/path';
import type { ApiRequest } from '../../api/request';
import { readRecord } from '../../api/response';
import { redactText } from '../redaction';
import type { TriggerContext } from '../settings';
import { type Change, type State, toState } from './state';
import { SubscriptionError } from './subscriptionError';

/** How long the service is waited for. */
export interface Patience {
	/** Without a sign of it. */
	timeoutMs: number;
	maxRetries: number;
	/** Retries and waits for rate limits included, but never cutting off a request that is under way. */
	wholeMs: number;
}

/** n8n itself tries to publish five times, and a person waits for a test to begin. */
const hookPatience: Patience = { timeoutMs: 8_000, maxRetries: 1, wholeMs: 12_000 };

/** Somebody's delivery waits for the answer. */
export const deliveryPatience: Patience = { timeoutMs: 4_000, maxRetries: 0, wholeMs: 4_000 };

export async function readSubscription(
	context: TriggerContext,
	subscriptionId: string,
	patience = hookPatience,
): Promise<State> {
	const at = path`/webhook_subscriptions/${subscriptionId}`;
	return await send(context, { method: 'GET', path: at }, patience);
}

/** @returns the subscription as the service says that it now is */
export async function changeSubscription(
	context: TriggerContext,
	subscriptionId: string,
	change: Change,
): Promise<State> {
	const at = path`/webhook_subscriptions/${subscriptionId}`;
	return await send(context, { method: 'PATCH', path: at, body: change }, hookPatience);
}

async function send(
	context: TriggerContext,
	request: ApiRequest,
	{ wholeMs, ...settings }: Patience,
): Promise<State> {
	const client = await ApiClient.open(context, {
		concurrency: 1,
		requestsPerSecond: 0,
		signal: AbortSignal.timeout(wholeMs),
	});
	const response = await client.send(request, settings).catch((error: unknown) => {
		throw explainFailure(error);
	});
	return toState(readRecord(response));
}

/** What the service says may repeat the registered URL, so the secrets in it are removed. */
function explainFailure(error: unknown): unknown {
	if (error instanceof DOMException && error.name === 'TimeoutError')
		return new SubscriptionError('The service was too busy to answer in time', 'Try again later.');
	if (!(error instanceof RequestFailedError)) return error;
	const { message, description, details } = error;
	return new RequestFailedError({
		message:
			details.status === 404 ? 'The service has no such webhook subscription (404)' : message,
		description: redactText(description),
		details,
	});
}
