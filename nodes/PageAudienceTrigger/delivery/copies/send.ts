import type { IDataObject, IHttpRequestMethods, IWebhookFunctions } from 'n8n-workflow';
import { describeUrl, shortenUrls } from '../../../parameters/describeUrl';
import { toError } from '../../../parameters/problem';
import { logRarely } from '../../log';
import type { OwnUrl } from '../../subscription/ownUrl';
import type { Delivery } from '../delivery';
import { redactText } from '../redaction';

/*
 * What must hold for all copies: nothing that arrives in a request decides where a copy goes, unless this trigger
 * signed it; a copy is never copied; and one request starts the published workflow at most once, and a test run at most
 * once.
 */

const timeoutMs = 15_000;

/** Once, and without waiting: the service has its response in the meantime, whatever becomes of this. */
export function send(
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
			warn(`could not be sent on: ${redactText(shortenUrls(toError(error).message))}`);
		});
}
