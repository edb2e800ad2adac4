import type { IPollFunctions } from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { hashContent } from '../runtime/canonical';
import { events, type PolledEvent } from './events';
import type { Deadline } from './reading/deadline';
import type { Settings } from './settings';

/** The list that a poll reads. */
export interface PolledList {
	settings: Settings;
	event: PolledEvent;
	client: Pick<ApiClient, 'send'>;
	/** The same for the same service and API key. */
	identity: string;
	/** Until when it may be read. */
	deadline: Deadline;
	/** What the state belongs to: event, page or account, and service. Another API key reads the same records. */
	scope: string;
}

/** @throws {RangeError} when the credential's Base URL is no http(s) URL */
export async function openList(
	context: IPollFunctions,
	settings: Settings,
	deadline: Deadline,
): Promise<PolledList> {
	const { concurrency, requestsPerSecond } = settings;
	const { signal } = deadline;
	const client = await deadline.keep(
		ApiClient.open(context, { concurrency, requestsPerSecond, signal }),
	);
	const event = events[settings.event];
	const scope = hashContent([settings.event, event.place(settings), client.baseUrl]).slice(0, 16);
	return { settings, event, client, identity: client.identity, deadline, scope };
}
