import type { IDataObject } from 'n8n-workflow';
import { normalizePath, parseUrl, withoutQuery } from '../runtime/url';

/** The end of the path of a trigger's URL, and its query. */
const triggerQuery = /\/webhook\/?\?[^\s"'<>]+/gi;

/** The trigger's token, and the settings of another receiver, which a test run keeps in its URL. */
const secret = /([?&](?:token|back)=)[^&#]+/gi;

/** Whether a URL could be a trigger's: n8n has an endpoint and an ID in front of the trigger's own path. */
export function isTriggerUrl(url: string): boolean {
	return /[^/]\/[^/]+\/webhook$/.test(normalizePath(parseUrl(url)?.pathname ?? withoutQuery(url)));
}

/** Whether a URL is of a test run, where n8n has them unless N8N_ENDPOINT_WEBHOOK_TEST says otherwise. */
export function isTestUrl(url: string): boolean {
	return isTriggerUrl(url) && withoutQuery(url).toLowerCase().includes('/webhook-test/');
}

/** A text as people and models may see it: without the secrets in the URLs of triggers. */
export function maskTriggerUrls(text: string): string {
	return text.replace(triggerQuery, (query) => query.replace(secret, '$1***'));
}

/** A value as JSON sends it, in which all texts are as people may see them. */
export function copyMasked(value: object): IDataObject {
	const hide = (_: string, member: unknown) =>
		typeof member === 'string' ? maskTriggerUrls(member) : member;
	return JSON.parse(JSON.stringify(value, hide)) as IDataObject;
}

/** Whether a URL was copied from where its secrets are hidden. */
export function isMasked(url: string): boolean {
	return /[?&](?:token|back)=\*\*\*/i.test(url);
}
