import type { IDataObject, IHttpRequestMethods, IWebhookFunctions } from 'n8n-workflow';
import { redact } from '../redact';
import { describeUrl, shortenUrls } from '../../../parameters/describeUrl';
import { toError } from '../../../parameters/problem';
import { logRarely } from '../../log';
import type { OwnUrl } from '../../subscription/ownUrl';
import { decompressed, type Delivery } from '../delivery';
import { redactHeaders, redactText } from '../redaction';
import type { Onward } from './onward';

const timeoutMs = 15_000;

/**
 * Once, and without waiting: the service has its response in the meantime, whatever becomes of this.
 * @param secrets not to be seen in the copy: neither the previous owner nor the URL of a test run has them all
 */
export function sendOn(
	context: IWebhookFunctions,
	own: OwnUrl,
	delivery: Delivery,
	{ copy, warning }: Onward,
	secrets: string[],
): void {
	const warn = (what: string, key = what) => logRarely(context, `${own.id}:${key}`, what);
	if (copy) {
		const to = `a delivery for ${describeUrl(copy.url)}`;
		send(context, delivery, copy, secrets, (what) => warn(`${to} ${what}`, 'copy'));
	}
	if (warning) warn(warning);
}

function send(
	{ helpers }: IWebhookFunctions,
	{ method, bytes, headers: given }: Delivery,
	{ url, headers: added }: NonNullable<Onward['copy']>,
	secrets: string[],
	warn: (what: string) => void,
): void {
	const headers = { ...redactHeaders(keepEndToEnd(given), secrets), ...added };
	if (!bytes && String(headers['content-type']).startsWith('multipart/'))
		return warn('was not forwarded, because n8n does not keep the raw body of this content type');
	void helpers
		.httpRequest({
			method: method as IHttpRequestMethods,
			url,
			headers,
			// In any charset, every byte that belongs to no secret stays.
			body: bytes && Buffer.from(redact(bytes.toString('latin1'), secrets), 'latin1'),
			timeout: timeoutMs,
			// A redirect would carry personal data to an address that nobody chose.
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})
		.then(({ statusCode }: { statusCode: number }) => {
			if (statusCode < 200 || statusCode > 299) warn(`got status ${statusCode}`);
		})
		.catch((error: unknown) => {
			warn(`could not be forwarded: ${redactText(shortenUrls(toError(error).message))}`);
		});
}

/** Meant for one connection only (RFC 9110, 7.6.1), or written anew with the body. */
const hopByHop = [
	'connection',
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
	const isUndone = decompressed.includes(String(headers['content-encoding']));
	const isMeantForHere = (name: string) =>
		hopByHop.includes(name) ||
		named.includes(name) ||
		fromProxies.test(name) ||
		(isUndone && name === 'content-encoding');
	const kept = Object.entries(headers).filter(([name]) => !isMeantForHere(name.toLowerCase()));
	const { 'content-type': type = false, ...rest } = Object.fromEntries(kept) as IDataObject;
	// n8n's helper makes up a type where there is none (false prevents it), and fails on the bytes of a form of exactly
	// this type (in a list it is not recognized, and sent as it is).
	return { ...rest, 'content-type': type === 'application/x-www-form-urlencoded' ? [type] : type };
}
