import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { toError } from '../../parameters/problem';
import { logRarely } from '../log';
import { readTriggerId } from '../ownUrl';
import type { Delivery } from './delivery';

/** Meant for one connection only, written anew with the body, or about the way to this n8n. */
const ofTheWay =
	/^(connection|content-length|content-encoding|expect|forwarded|host|keep-alive|te|transfer-encoding|upgrade|via|x-forwarded-.*)$/;

/** Sends a delivery to the test run beside the published workflow: once, and without waiting. */
export function copyToTest(context: IWebhookFunctions, url: string, delivery: Delivery): void {
	const warn = async (what: string) =>
		await logRarely(
			context,
			`${readTriggerId(context)}:copy`,
			`a delivery for the test run ${what}`,
		);
	const { headers, bytes } = delivery;
	if (!bytes && String(headers['content-type']).startsWith('multipart/'))
		return void warn('was not copied, because n8n does not keep the raw body of a multipart form');
	const kept = Object.entries(headers).filter(([name]) => !ofTheWay.test(name));
	// n8n's helper makes up a type where there is none (false prevents it), and fails on the bytes of a form of exactly
	// this type (in a list it is not recognized, and sent as it is).
	const { 'content-type': type = false, ...rest } = Object.fromEntries(kept) as IDataObject;
	const isForm = type === 'application/x-www-form-urlencoded';
	void context.helpers
		.httpRequest({
			method: 'POST',
			url,
			headers: { ...rest, 'content-type': isForm ? [type] : type },
			body: bytes,
			timeout: 15_000,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})
		.then(async ({ statusCode }: { statusCode: number }) => {
			if (statusCode > 299) await warn(`got status ${statusCode}`);
		})
		.catch(async (error: unknown) => await warn(`could not be copied: ${toError(error).message}`));
}
