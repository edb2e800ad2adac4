import { isReservedHost } from '../deliveries.mts';

/**
 * Where a link of a page leads. Anything but http(s), which could be a script, leads nowhere; so does a host that is
 * reserved for examples, since nothing answers there: `instead` is a place on the page itself.
 */
export function targetOf(url: string, instead: string): string {
	if (!URL.canParse(url)) return instead;
	const { protocol, hostname, href } = new URL(url);
	return /^https?:$/.test(protocol) && !isReservedHost(hostname) ? href : instead;
}
