import type { IDataObject } from 'n8n-workflow';
import { redactText } from './redaction';

/** Meant for one connection only (RFC 9110, 7.6.1), or written anew with the body, which n8n has decompressed. */
const hopByHop = [
	'connection',
	'content-encoding',
	'content-length',
	'expect',
	'host',
	'keep-alive',
	'proxy-authenticate',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
];

/** What proxies in front of this n8n say about the way to it, or about who may pass. */
const fromProxies =
	/^(forwarded|via|x-real-ip|x-forwarded-.*|cf-access-.*|x-goog-(iap|authenticated)-.*|x-amzn-oidc-.*|x-ms-(token|client-principal)(-.*)?|x-auth-request-.*|x-pomerium-.*|x-authentik-.*|x-vouch-.*|tailscale-user-.*|remote-(user|groups|name|email))$/;

/** The headers that mean something to the receiver of a copy. */
export function keepEndToEnd(headers: IDataObject): IDataObject {
	const named = String(headers.connection ?? '')
		.split(',')
		.map((name) => name.trim().toLowerCase());
	const isMeantForHere = (name: string) =>
		hopByHop.includes(name) || named.includes(name) || fromProxies.test(name);
	const kept = Object.entries(headers).filter(([name]) => !isMeantForHere(name.toLowerCase()));
	const { 'content-type': type = false, ...rest } = Object.fromEntries(kept) as IDataObject;
	// n8n's helper makes up a type where there is none (false prevents it), and fails on the bytes of a form of exactly
	// this type (in a list it is not recognized, and sent as it is).
	return { ...rest, 'content-type': type === 'application/x-www-form-urlencoded' ? [type] : type };
}

/** Words in the names of headers that let in whoever has their value. */
const secretWords = [
	'assertion',
	'auth',
	'authorization',
	'apikey',
	'cookie',
	'cookie2',
	'jwt',
	'oidc',
	'passwd',
	'password',
	'principal',
	'secret',
	'token',
];

/** Whether the header would let its reader in somewhere, here or elsewhere. */
export function isSecret(name: string): boolean {
	const lower = name.toLowerCase();
	const words = lower.split(/[-_]/);
	return (
		words.some((word) => secretWords.includes(word)) ||
		/(^|[-_])api[-_]key([-_]|$)|client[-_]cert/.test(lower) ||
		/^cf-access-|^x-goog-(iap|authenticated)-/.test(lower)
	);
}

/** Proxies write the URL, with its token, into headers such as x-forwarded-uri and referer. */
export function cleanHeaders(headers: IDataObject, tokens: string[]): IDataObject {
	const kept = Object.entries(headers).filter(([name]) => !isSecret(name));
	return redactHeaders(Object.fromEntries(kept) as IDataObject, tokens);
}

export function redactHeaders(headers: IDataObject, tokens: string[]): IDataObject {
	const clean = (value: unknown): unknown =>
		typeof value === 'string'
			? redactText(value, tokens)
			: Array.isArray(value)
				? value.map(clean)
				: value;
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, clean(value)]),
	) as IDataObject;
}
