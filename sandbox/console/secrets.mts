const hidden = '(hidden)';
const secretHeaders = ['x-api-key', 'authorization', 'cookie'];

/** Hides the API key and the tokens of registered URLs in every text of a value. */
export function hideSecrets<T>(value: T, apiKey: string): T;
export function hideSecrets(value: unknown, apiKey: string): unknown {
	if (typeof value === 'string') {
		const text = apiKey === '' ? value : value.replaceAll(apiKey, hidden);
		return text.replace(/([?&]token=)[^&#\s"]+/gi, `$1${hidden}`);
	}
	if (Array.isArray(value)) return value.map((member) => hideSecrets(member, apiKey));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [
			hideSecrets(name, apiKey),
			hideSecrets(member, apiKey),
		]),
	);
}

/** Hides wrong keys too: they may be right elsewhere. */
export const hideSecretHeaders = (headers: Record<string, string>): Record<string, string> =>
	Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [
			name,
			secretHeaders.includes(name.toLowerCase()) ? hidden : value,
		]),
	);
