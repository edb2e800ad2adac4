import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { readLoss } from '../../runtime/loss';
import { passTests } from '../../webhooks/ownWebhooks';
import { logRarely } from '../log';
import type { Delivery } from './delivery';

/** Headers of one connection, headers that n8n writes for the copied body, and headers about the way to this n8n. */
const hopHeaders =
	/^(connection|content-length|content-encoding|expect|forwarded|host|keep-alive|te|transfer-encoding|upgrade|via|x-forwarded-.*)$/;

/** Sends a delivery to the test run beside the published workflow: once, and without waiting. */
export function copyToTest(context: IWebhookFunctions, url: string, delivery: Delivery): void {
	const warn = async (what: string) =>
		await logRarely(context, 'copy', `a delivery for the test run ${what}`);
	const { headers, bytes } = delivery;
	if (!bytes && String(headers['content-type']).startsWith('multipart/'))
		return void warn('was not copied, because n8n does not keep the raw body of a multipart form');
	const kept = Object.entries(headers).filter(([name]) => !hopHeaders.test(name));
	// n8n's helper invents a missing content type, unless it is false. It also fails to send bytes of exactly this form
	// type, but sends them if the type is in a list.
	const { 'content-type': type = false, ...others } = Object.fromEntries(kept) as IDataObject;
	const isForm = type === 'application/x-www-form-urlencoded';
	void context.helpers
		.httpRequest({
			method: 'POST',
			url,
			headers: { ...others, 'content-type': isForm ? [type] : type },
			body: bytes,
			timeout: 15_000,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})
		.then(async ({ statusCode }: { statusCode: number }) => {
			if (statusCode > 299) await warn(`got status ${statusCode}. ${passTests}`);
		})
		.catch(async (error: unknown) => await warn(`could not be copied: ${readLoss(error).reason}`));
}
