/** How far a host reaches: no further than its own machine, no further than its network, or through the internet. */
export type Reach = 'loopback' | 'private' | 'public';

// A parsed URL writes an IPv4 address that is part of an IPv6 address in hexadecimal digits, `\w` here.

const loopback = [
	/^(?:[^\s\\/?#@:]*\.)?localhost$/,
	/^\[::1?\]$/,
	/^(?:\[::ffff:)?(?:0|127)(?:\.\d+)+\]?$/,
	/^\[::ffff:(?:\w\w?|7f\w\w):\w+\]$/,
];

const inNetwork = [
	// A name without a dot, such as a container's, and the endings that are never in public DNS.
	/^[^\s\\/?#@:.[\]]+$/,
	/^[^\s\\/?#@:]*\.(?:local|internal|lan|home\.arpa|test)$/,
	/^\[(?:f[cd]\w\w|fe[89ab]\w):[^\]]*\]$/,
	// RFC 1918, link-local addresses, and 100.64.0.0/10 of carriers and Tailscale.
	/^(?:\[::ffff:)?(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(?:\.\d+)+\]?$/,
	/^\[::ffff:(?:a\w\w|c0a8|ac1\w|a9fe|64[4-7]\w):\w+\]$/,
];

/** @param host as in the `hostname` of a URL: an IPv6 address in brackets */
export function readReach(host: string): Reach {
	const name = host.toLowerCase().replace(/\.$/, '');
	const isOneOf = (patterns: RegExp[]) => patterns.some((pattern) => pattern.test(name));
	if (isOneOf(loopback)) return 'loopback';
	return isOneOf(inNetwork) ? 'private' : 'public';
}
