import type { IDataObject, IHttpRequestMethods, IWebhookFunctions } from 'n8n-workflow';
import { describeUrl, shortenUrls } from '../../parameters/describeUrl';
import { isOurs, type OwnUrl } from '../address/ownUrl';
import { isReachable } from '../address/reach';
import { allUrlParameters, readApiKey, urlParameters } from '../address/registeredUrl';
import { isSameToken, isTokenLike, sign } from '../address/signature';
import { readSignedOrder, type TestOrder } from '../address/testOrder';
import { withoutParameter, withParameter } from '../../api/url';
import { logRarely } from '../log';
import { redactText } from '../redaction';
import type { TestMemory } from '../registration/memory';
import type { Delivery } from './delivery';
import { keepEndToEnd } from './headers';
import { select } from './kinds';
import { redactHeaders } from './output';

/*
 * What must hold here: nothing that arrives in a request decides where a copy goes, unless this trigger signed it; a
 * copy is never copied; and one request starts the published workflow at most once, and a test run at most once.
 */

const timeoutMs = 15_000;

/** Counts how often a delivery was forwarded: test runs that took over from each other must not send it in circles. */
const hopHeader = 'x-page-audience-forwarded';
const mostHops = 3;

/** What a test run asks of production, if this trigger signed it. */
export async function readTestOrder(
	context: IWebhookFunctions,
	own: OwnUrl,
	{ query }: Delivery,
): Promise<TestOrder | undefined> {
	const value = query[urlParameters.test];
	if (typeof value !== 'string') return undefined;
	const apiKey = await readApiKey(context).catch(() => undefined);
	return apiKey === undefined ? undefined : readSignedOrder(value, apiKey, own.id);
}

/** Whether production itself sent this. */
export async function isCopy(
	context: IWebhookFunctions,
	own: OwnUrl,
	{ query }: Delivery,
): Promise<boolean> {
	const mark = query[urlParameters.copy];
	if (!isTokenLike(mark)) return false;
	// Without a key nothing can have been signed.
	const apiKey = await readApiKey(context).catch(() => undefined);
	return apiKey !== undefined && isSameToken(mark, signCopy(apiKey, own));
}

function signCopy(apiKey: string, { id }: OwnUrl): string {
	return sign(apiKey, 'copy', id);
}

/** Production sends a copy of a delivery to the test run. */
export async function copyToTest(
	context: IWebhookFunctions,
	own: OwnUrl,
	{ path }: TestOrder,
	delivery: Delivery,
): Promise<void> {
	let url = own.origin + path + withoutParameter(`?${delivery.rawQuery}`, ...allUrlParameters);
	const { token } = delivery.query;
	if (typeof token === 'string') url = withParameter(url, urlParameters.token, token);
	url = withParameter(url, urlParameters.copy, signCopy(await readApiKey(context), own));
	send(context, own, url, delivery, keepEndToEnd(delivery.headers));
}

/**
 * A test run forwards to the receiver that it took over from what that would have got: only if the subscription was
 * active and asked for the kind, and only where the service itself could have sent it.
 */
export async function forwardToKept(
	context: IWebhookFunctions,
	own: OwnUrl,
	{ kept }: Partial<TestMemory>,
	delivery: Delivery,
	tokens: string[],
): Promise<void> {
	if (!kept?.active || isOurs({ ...own, isTest: false }, kept.url)) return;
	const hops = Number(delivery.headers[hopHeader] ?? 0);
	if (delivery.query[urlParameters.copy] !== undefined || !(hops < mostHops)) return;
	if (kept.events !== null && !select(delivery, kept.events)) return;
	if (!(await isReachable(context, own, kept.url))) {
		const what = `a delivery was not forwarded to ${describeUrl(kept.url)}, which the service cannot reach`;
		return logRarely(context, `${own.id}:unreachable`, what);
	}
	// A proxy may have written the URL of this test run, with its token, into headers.
	const headers = redactHeaders(keepEndToEnd(delivery.headers), tokens);
	send(context, own, kept.url, delivery, { ...headers, [hopHeader]: String(hops + 1) });
}

/** Once, and without waiting: the service has its response in the meantime, whatever becomes of this. */
function send(
	context: IWebhookFunctions,
	own: OwnUrl,
	url: string,
	{ method, bytes, text }: Delivery,
	headers: IDataObject,
): void {
	const warn = (what: string) =>
		logRarely(context, `${own.id}:passed on`, `a delivery for ${describeUrl(url)} ${what}`);
	if (!bytes && (text !== '' || String(headers['content-type']).startsWith('multipart/')))
		return warn('was not sent on, because n8n does not keep the bytes of its kind');
	void context.helpers
		.httpRequest({
			method: method as IHttpRequestMethods,
			url,
			headers,
			body: bytes,
			timeout: timeoutMs,
			// A redirect would carry personal data to an address that nobody chose.
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			encoding: 'text',
		})
		.then(({ statusCode }: { statusCode: number }) => {
			if (statusCode < 200 || statusCode > 299) warn(`got status ${statusCode}`);
		})
		.catch((error: unknown) => {
			const reason = error instanceof Error ? error.message : String(error);
			warn(`could not be sent on: ${redactText(shortenUrls(reason))}`);
		});
}
