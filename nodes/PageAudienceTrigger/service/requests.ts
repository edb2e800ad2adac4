import { ApiClient } from '../../api/client';
import { RequestFailedError, UnexpectedResponseError } from '../../api/errors';
import { path } from '../../api/path';
import type { ApiRequest, ApiResponse } from '../../api/request';
import { readBareList } from '../../api/response';
import { shortenUrls } from '../../parameters/describeUrl';
import * as records from '../../records/webhookSubscription';
import type { TriggerContext } from '../settings';
import { type SubscriptionChange, type SubscriptionState, readState } from '../subscription/state';
import { SubscriptionError } from '../subscription/subscriptionError';

/**
 * How long the trigger waits for the service: n8n itself tries to publish five times, and a person waits for a test run
 * to begin. `wholeMs` includes retries and waits for rate limits, but never cuts off a request that is under way.
 */
const hookPatience = { timeoutMs: 8_000, maxRetries: 1, wholeMs: 12_000 };

/** A delivery waits for the response. */
export const deliveryPatience = { timeoutMs: 4_000, maxRetries: 0, wholeMs: 4_000 };

export async function readSubscription(
	context: TriggerContext,
	subscriptionId: string,
	patience = hookPatience,
): Promise<SubscriptionState> {
	const at = path`/webhook_subscriptions/${subscriptionId}`;
	return await send(context, { method: 'GET', path: at }, toState, patience);
}

/** The ID and state of every subscription. Without a state, it has to be read singly. */
export async function listSubscriptions(
	context: TriggerContext,
): Promise<Array<{ subscriptionId: string; state: SubscriptionState | undefined }>> {
	const at = path`/webhook_subscriptions`;
	const records = await send(context, { method: 'GET', path: at }, readBareList);
	return records.flatMap((record) =>
		typeof record.subscriptionId === 'string'
			? [{ subscriptionId: record.subscriptionId, state: readState(record) }]
			: [],
	);
}

/** What the service responded to a change. */
export interface Changed {
	/** The subscription as the service says that it now is. */
	answer: SubscriptionState;
	/** More than one: an earlier one may still be under way. */
	attempts: number;
}

export async function changeSubscription(
	context: TriggerContext,
	subscriptionId: string,
	change: SubscriptionChange,
): Promise<Changed> {
	const at = path`/webhook_subscriptions/${subscriptionId}`;
	let attempts = 0;
	const count = () => void attempts++;
	const request = { method: 'PATCH', path: at, body: change } as const;
	const answer = await send(context, request, toState, hookPatience, count);
	return { answer, attempts };
}

function toState(response: ApiResponse): SubscriptionState {
	const record = records.readSubscription(response);
	const state = readState(record);
	// A response without the events that were sent does not say whether the service took them.
	const sent = response.request.body as SubscriptionChange | undefined;
	const isWhole = record.events !== undefined || sent?.events === undefined;
	if (state && isWhole) return state;
	const id = records.readSubscriptionId(response.request);
	throw new SubscriptionError(
		`The service left out the URL or the events of webhook subscription ${id}, or whether it is active`,
		"Retry later. If it stays, ask the service's support.",
	);
}

async function send<T>(
	context: TriggerContext,
	request: ApiRequest,
	read: (response: ApiResponse) => T,
	{ wholeMs, ...settings } = hookPatience,
	onAttempt?: () => void,
): Promise<T> {
	const signal = AbortSignal.timeout(wholeMs);
	const limits = { concurrency: 1, requestsPerSecond: 0, signal, onAttempt };
	const client = await ApiClient.open(context, limits);
	const sending = client.send(request, settings).catch((error: unknown) => {
		if (error instanceof RequestFailedError) throw explainFailure(error, request);
		if (!signal.aborted) throw error;
		throw new SubscriptionError('The service was too busy to respond in time', 'Retry later.');
	});
	return await sending.then(read).catch((error: unknown) => {
		if (error instanceof UnexpectedResponseError)
			error.description = hideSecrets(error.description);
		throw error;
	});
}

/** What the service says may repeat URLs, this trigger's and others', so the secrets in them are removed. */
function explainFailure(error: RequestFailedError, request: ApiRequest): RequestFailedError {
	const id = records.readSubscriptionId(request);
	if (error.details.status === 404 && id)
		error.message = `Webhook subscription "${id}" was not found (404)`;
	error.description = hideSecrets(error.description);
	return error;
}

/** Tokens, signatures and earlier owners are long runs of hexadecimal digits, with or without their URL. */
function hideSecrets(text: string): string {
	return shortenUrls(text).replace(/[\da-f]{32,}/gi, '***');
}
