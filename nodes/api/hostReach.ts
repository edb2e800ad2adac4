/** How far a host reaches: no further than its own machine, no further than its network, or through the internet. */
export type Reach = 'loopback' | 'private' | 'public';

const loopback = [/^(?:[^\s\\/?#@:]*\.)?localhost$/, /^\[::1?\]$/, /^(?:0|127)(?:\.\d+)+$/];

const inNetwork = [
	// A name without a dot, such as a container's, and the endings that are never in public DNS.
	/^[^\s\\/?#@:.[\]]+$/,
	/^[^\s\\/?#@:]*\.(?:local|internal|lan|home\.arpa|test)$/,
	/^\[(?:f[cd]\w\w|fe[89ab]\w):[^\]]*\]$/,
	// RFC 1918, and link-local addresses.
	/^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)(?:\.\d+)+$/,
];

/** @param host as in the `hostname` of a URL: an IPv6 address in brackets */
export function readReach(host: string): Reach {
	const name = host.toLowerCase().replace(/\.$/, '');
	const isOneOf = (patterns: RegExp[]) => patterns.some((pattern) => pattern.test(name));
	if (isOneOf(loopback)) return 'loopback';
	return isOneOf(inNetwork) ? 'private' : 'public';
}
