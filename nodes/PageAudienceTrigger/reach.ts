import type { IHookFunctions } from 'n8n-workflow';
import { readConnection } from '../api/connection';
import { parseUrl } from '../api/parseUrl';
import { SubscriptionError } from './subscription/subscriptionError';
import type { TriggerContext } from './settings';
import type { OwnUrl } from './subscription/ownUrl';

/** How far an address reaches, by its host alone. */
export type Reach = 'loopback' | 'private' | 'public';

export function readReach(host: string): Reach {
	const name = host
		.toLowerCase()
		.replace(/^\[|\]$/g, '')
		.replace(/\.$/, '');
	const ip = readMappedIpv4(name) ?? name;
	if (/^(localhost|.*\.localhost|::1?|0(\.\d+){3}|127(\.\d+){3})$/.test(ip)) return 'loopback';
	const isPrivate =
		/^(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2}|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2})$/.test(
			ip,
		) ||
		/^(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/.test(ip) ||
		// A name without a dot, such as a container's, and the endings that are never in public DNS.
		/^[^.:]+$/.test(ip) ||
		/\.(local|internal|lan|home\.arpa|test)$/.test(ip);
	return isPrivate ? 'private' : 'public';
}

/** `::ffff:7f00:1`, as a URL writes the mapped address 127.0.0.1. */
function readMappedIpv4(ip: string): string | undefined {
	const found = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(ip);
	if (!found) return undefined;
	const [high, low] = [parseInt(found[1], 16), parseInt(found[2], 16)];
	return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

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
