import type { IPollFunctions } from 'n8n-workflow';
import { ApiClient } from '../../api/client';
import { hashContent } from '../../runtime/canonical';
import { events, type PolledEvent } from '../events';
import type { Settings } from '../settings';

/** What a poll needs of the client. */
export type PollClient = Pick<ApiClient, 'send' | 'identity'>;

/** What a trigger polls, and through what. */
export interface Target {
	settings: Settings;
	event: PolledEvent;
	client: PollClient;
	/** What the state belongs to: event, page or account, and service. Another API key reads the same records. */
	scope: string;
}

/**
 * @param signal ends what waits
 * @throws {RangeError} when the credential's Base URL is no http(s) URL
 */
export async function openTarget(
	context: IPollFunctions,
	settings: Settings,
	signal: AbortSignal,
): Promise<Target> {
	const { concurrency, requestsPerSecond } = settings;
	const client = await ApiClient.open(context, { concurrency, requestsPerSecond, signal });
	const event = events[settings.event];
	const scope = hashContent([settings.event, event.place(settings), client.baseUrl]).slice(0, 16);
	return { settings, event, client, scope };
}
