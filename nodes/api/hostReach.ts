/** How far a host reaches: no further than its own machine, no further than its network, or through the internet. */
export type Reach = 'loopback' | 'private' | 'public';

/*
 * Hosts as a parsed URL has them, and as people type them: `10.1` is 10.0.0.1. A parsed URL writes an IPv4 address that
 * is part of an IPv6 address in hexadecimal digits, `\w` here. The letters are small and in no class, for `ignoreCase`.
 */

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
	/^\[(?:f(?:c|d)\w\w|fe(?:8|9|a|b)\w):[^\]]*\]$/,
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

/**
 * The same as a pattern for n8n's editor: an `http://` URL with a public host, as a person types it. It judges an IPv4
 * address in hexadecimal, octal or whole numbers by its letters, because only parsing tells.
 */
export const publicHttpUrl = ignoreCase(
	String.raw`^\s*http:[\\/]*(?:[^\s\\/?#@]*@)?(?!(?:${listWholes(...loopback, ...inNetwork)})\.?(?::\d*)?(?:[\\/?#]|\s*$))[^\s\\/?#@]+(?:[\\/?#]|\s*$)`,
);

/** The patterns of a whole host as parts of a longer one. */
function listWholes(...patterns: RegExp[]): string {
	return patterns.map(({ source }) => source.slice(1, -1)).join('|');
}

/** n8n takes patterns without flags. */
function ignoreCase(pattern: string): string {
	return pattern.replace(/\\.|[a-z]/g, (part) =>
		part.length === 1 ? `[${part}${part.toUpperCase()}]` : part,
	);
}
