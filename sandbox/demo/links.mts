import { isReservedHost } from '../deliveries/reservedHosts.mts';

/**
 * Returns the target of a link, or `fallback`, a place on the page itself. Only http(s) links are followed, because
 * others could run a script. Nothing responds at hosts that are reserved for examples.
 */
export function targetOf(url: string, fallback: string): string {
	if (!URL.canParse(url)) return fallback;
	const { protocol, hostname, href } = new URL(url);
	return /^https?:$/.test(protocol) && !isReservedHost(hostname) ? href : fallback;
}
