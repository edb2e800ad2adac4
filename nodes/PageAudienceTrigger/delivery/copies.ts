import type { IDataObject, IHttpRequestMethods, IWebhookFunctions } from 'n8n-workflow';
import { logWarning } from '../log';
import { redactText } from '../redaction';
import type { TestMemory } from '../registration/memory';
import { isOwn, locate, type OwnUrl } from '../registration/ownUrl';
import { urlParameters } from '../registration/registeredUrl';
import type { EventKind } from '../settings';
import { describeUrl, withoutParameter } from '../url';
import type { Delivery } from './delivery';

const timeoutMs = 15_000;

/**
 * Production sends a copy of a delivery to the test that somebody listens with. The path comes from the delivery's
 * own query, so that it has to be this trigger's own, on this n8n.
 */
export function copyToTest(context: IWebhookFunctions, own: OwnUrl, delivery: Delivery): void {
	const path = delivery.query[urlParameters.test];
	if (typeof path !== 'string') return;
	const query = withoutParameter(`?${delivery.rawQuery}`, urlParameters.test);
	const url = URL.canParse(path, own.origin) ? new URL(path, own.origin) : undefined;
	// The comparison with the path itself leaves nothing that would resolve to another one.
	if (url?.pathname !== path || locate(own, url.href) !== 'test') return;
	passOn(context, `${url.href}${query}`, delivery, delivery.headers);
}

/**
 * A test passes on to whoever had the subscription before what they would have got: only if it was active and asked
 * for that kind.
 */
export function forwardToKept(
	context: IWebhookFunctions,
	own: OwnUrl,
	{ kept }: Partial<TestMemory>,
	delivery: Delivery,
	{ kind, tokens }: { kind: EventKind | null; tokens: string[] },
): void {
	if (!kept?.active || isOwn(locate(own, kept.url))) return;
	if (kind !== null && kept.events !== null && !kept.events.includes(kind)) return;
	// A proxy may have written the URL of this test, with its token, into headers.
	const headers = Object.fromEntries(
		Object.entries(delivery.headers).map(([name, value]) => [
			name,
			typeof value === 'string' ? redactText(value, tokens) : value,
		]),
	);
	passOn(context, kept.url, delivery, headers);
}

/** Once, and without waiting: the service has its answer meanwhile, whatever becomes of this. */
function passOn(
	context: IWebhookFunctions,
	url: string,
	{ method, bytes, text }: Delivery,
	headers: IDataObject,
): void {
	if (!bytes && (text !== '' || String(headers['content-type']).startsWith('multipart/'))) {
		logWarning(
			context,
			`a delivery was not passed on to ${describeUrl(url)}, because n8n does not keep the bytes of its kind`,
		);
		return;
	}
	void context.helpers
		.httpRequest({
			method: method as IHttpRequestMethods,
			url,
			headers: keepEndToEnd(headers),
			body: bytes,
			timeout: timeoutMs,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			encoding: 'text',
		})
		.then(({ statusCode }: { statusCode: number }) => {
			if (statusCode < 200 || statusCode > 299)
				logWarning(
					context,
					`a delivery passed on to ${describeUrl(url)} was answered with ${statusCode}`,
				);
		})
		.catch((error: unknown) => {
			const reason = redactText(error instanceof Error ? error.message : String(error));
			logWarning(context, `a delivery could not be passed on to ${describeUrl(url)}: ${reason}`);
		});
}

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

export function keepEndToEnd(headers: IDataObject): IDataObject {
	const named = String(headers.connection ?? '')
		.split(',')
		.map((name) => name.trim().toLowerCase());
	const isMeantForHere = (name: string) =>
		hopByHop.includes(name) ||
		named.includes(name) ||
		// What proxies on the way to this n8n say about that way.
		/^(forwarded|via|x-forwarded-.*|x-real-ip)$/.test(name);
	const kept = Object.entries(headers).filter(([name]) => !isMeantForHere(name.toLowerCase()));
	const { 'content-type': type = false, ...rest } = Object.fromEntries(kept) as IDataObject;
	// n8n's helper makes up a type where there is none (false prevents it), and fails on the bytes of a form of exactly
	// this type (in a list it is not recognized, and sent as it is).
	return { ...rest, 'content-type': type === 'application/x-www-form-urlencoded' ? [type] : type };
}
