import type { IHookFunctions } from 'n8n-workflow';
import { readConnection } from '../api/connection';
import { type Reach, readReach } from '../api/hostReach';
import { parseUrl } from '../api/parseUrl';
import { SubscriptionError } from './subscription/subscriptionError';
import type { TriggerContext } from './settings';
import type { OwnUrl } from './subscription/ownUrl';

/**
 * An address that only this machine can reach is of no use to a service on the internet, and of use to one that runs
 * beside n8n.
 * @throws {SubscriptionError}
 */
export async function refuseUnreachable(context: IHookFunctions, own: OwnUrl): Promise<void> {
	const reach = await readReachForService(context, own.href);
	if (reach === 'loopback') {
		throw new SubscriptionError(
			`The service cannot reach this n8n at ${own.origin}. Set WEBHOOK_URL to an address that can be reached from the internet.`,
			'Nothing was changed.',
		);
	}
	if (reach === 'private') {
		context.logger.warn(
			`Page Audience Trigger: ${own.origin} looks like an address that the service cannot reach. If no deliveries arrive, set WEBHOOK_URL.`,
		);
	}
}

/**
 * Whether the service itself could deliver there. n8n may stand inside a network that the service cannot see, and must
 * not send there what the service could not.
 */
export async function isReachable(
	context: TriggerContext,
	own: OwnUrl,
	href: string,
): Promise<boolean> {
	const url = parseUrl(href);
	if (!url || !/^https?:$/.test(url.protocol)) return false;
	// Other workflows of this n8n: publishing warned of an address that looks private, and used it.
	if (url.origin === own.origin) return true;
	return (await readReachForService(context, href)) === 'public';
}

/** As the service sees the address: to one that is as near as n8n itself, every address counts as public. */
async function readReachForService(context: TriggerContext, href: string): Promise<Reach> {
	const { hostname } = await readConnection(context);
	return readReach(hostname) === 'public' ? readReach(parseUrl(href)?.hostname ?? '') : 'public';
}
