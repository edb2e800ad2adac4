import type { IDataObject } from 'n8n-workflow';

/** What messages call the setting of n8n's address for webhooks. The new name wins where both are set. */
export const webhookUrlSetting = 'N8N_WEBHOOK_URL (in an older n8n: WEBHOOK_URL)';

/** The end of the path of a trigger's URL, and its query. */
const triggerQuery = /\/webhook\/?\?[^\s"'<>]+/gi;

const token = /([?&]token=)[^&#]+/gi;

/** A text as people and models may see it: without the tokens in the URLs of triggers. */
export function maskTriggerUrls(text: string): string {
	return text.replace(triggerQuery, (query) => query.replace(token, '$1***'));
}

/** A value as JSON sends it, in which all texts are as people may see them. */
export function copyMasked(value: object): IDataObject {
	const hide = (_: string, member: unknown) =>
		typeof member === 'string' ? maskTriggerUrls(member) : member;
	return JSON.parse(JSON.stringify(value, hide)) as IDataObject;
}

/** Whether a URL was copied from where its token is hidden. */
export const isMasked = (url: string): boolean => /[?&]token=\*\*\*/i.test(url);
