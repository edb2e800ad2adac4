import type { IExecuteFunctions, IHttpRequestMethods } from 'n8n-workflow';
import { parseUrl } from './parseUrl';
import { isObject } from './request';
import { withoutQuery } from './url';

const timeoutMs = 5_000;

/** n8n's helper sends it, but its type does not name it. */
const preflight: string = 'OPTIONS';

/**
 * Where n8n takes webhooks, e.g. `https://n8n.example/`: WEBHOOK_URL with its path. n8n names it to no node, but it
 * resumes executions there, at `webhook-waiting/<execution>`.
 */
export function readWebhookBase(resumeUrl: unknown): string | undefined {
	const url = typeof resumeUrl === 'string' ? parseUrl(resumeUrl) : undefined;
	return url && url.origin + url.pathname.split('/').slice(0, -2).join('/') + '/';
}

/**
 * Whether n8n has a webhook for POST at an address of its own. Browsers ask with OPTIONS before they send, and n8n
 * answers with the methods of the webhook, or with OPTIONS alone.
 * @returns undefined where the response does not tell, for example because a proxy stands before n8n
 */
export async function hasWebhook(
	{ helpers }: { helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest'> },
	href: string,
): Promise<boolean | undefined> {
	const response: unknown = await helpers
		.httpRequest({
			method: preflight as IHttpRequestMethods,
			// n8n ignores a slash at the end where it takes deliveries, but not where it names a webhook's methods.
			url: withoutQuery(href).replace(/\/$/, ''),
			headers: { origin: new URL(href).origin },
			timeout: timeoutMs,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})
		// An n8n that cannot reach its own address says nothing about the service.
		.catch(() => undefined);
	if (!isObject(response) || !isObject(response.headers)) return undefined;
	const methods = String(response.headers['access-control-allow-methods'])
		.toUpperCase()
		.split(',')
		.map((method) => method.trim());
	if (methods.includes('POST')) return true;
	return methods.join() === preflight ? false : undefined;
}
