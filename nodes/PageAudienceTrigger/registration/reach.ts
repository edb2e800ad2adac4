import type { IHookFunctions } from 'n8n-workflow';
import { readConnection } from '../../api/connection';
import { parseUrl } from '../url';
import type { OwnUrl } from './ownUrl';
import { SubscriptionError } from './subscriptionError';

/** How far an address reaches, by its host alone. */
export type Reach = 'loopback' | 'private' | 'public';

export function readReach(host: string): Reach {
	const name = host
		.toLowerCase()
		.replace(/^\[|\]$/g, '')
		.replace(/\.$/, '');
	const ip = readMappedIpv4(name) ?? name;
	if (/^(localhost|.*\.localhost|::1?|0\.0\.0\.0|127(\.\d+){3})$/.test(ip)) return 'loopback';
	const isPrivate =
		/^(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2})$/.test(
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
	const { hostname } = await readConnection(context);
	if (readReach(hostname) !== 'public') return;
	const reach = readReach(parseUrl(own.href)?.hostname ?? '');
	if (reach === 'loopback') {
		throw new SubscriptionError(
			`The service cannot reach this n8n at ${own.origin}. Set WEBHOOK_URL of n8n to the address at which it can be reached from the internet`,
			'Nothing was changed.',
		);
	}
	if (reach === 'private') {
		context.logger.warn(
			`Page Audience Trigger: ${own.origin} looks like an address that the service cannot reach. If no deliveries come, set WEBHOOK_URL of n8n.`,
		);
	}
}
