/** Node 20 has no URL.parse. */
export function parseUrl(text: string, base?: string): URL | undefined {
	return URL.canParse(text, base) ? new URL(text, base) : undefined;
}

/** Only an http(s) URL. */
export function parseWebAddress(text: string): URL | undefined {
	const url = parseUrl(text);
	return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}
