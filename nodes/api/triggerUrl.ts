import type { IDataObject } from 'n8n-workflow';
import { parseUrl } from './parseUrl';
import { normalizePath, readParameter, withoutQuery, withValue } from './url';

/** What the webhook trigger puts into the query of the URL that it registers. All values survive a service that lowers letters. */
export const urlParameters = {
	/** The secret that deliveries must carry. */
	token: 'token',
	/** What production needs for copying deliveries to a test run, signed. */
	test: 'test',
	/** The settings of the previous owner, where another trigger must be able to read them. */
	back: 'back',
	/** The fingerprint of the snapshot that was saved when this URL was registered. */
	kept: 'kept',
	/** Marks a copy of a delivery, signed. */
	copy: 'copy',
} as const;

export const allUrlParameters: string[] = Object.values(urlParameters);

/** What stands in place of a secret. */
const mask = '***';

/** A parameter of a trigger's URL, also where that URL is encoded in another one. */
const ownParameter =
	/((?:[?&;]|%(?:25)*(?:3F|26))(?:token|test|back|kept|copy)(?:=|%(?:25)*3D))(?:(?!%(?:25)*26)[^&\s"'<>#;,])+/gi;
const maskedParameter =
	/(?:[?&;]|%(?:25)*(?:3F|26))(?:token|test|back|kept|copy)(?:=|%(?:25)*3D)(?:\*|%(?:25)*2A){3}/i;

/** The end of a trigger's path, and its query. */
const triggerQuery = /(?:\/|%(?:25)*2F)webhook(?:\/|%(?:25)*2F)*(?:\?|%(?:25)*3F)/i;

/** Whether a URL could be a trigger's: n8n has an endpoint and an ID in front of the trigger's own path. */
export function isTriggerUrl(url: string): boolean {
	return /[^/]\/[^/]+\/webhook$/.test(normalizePath(parseUrl(url)?.pathname ?? withoutQuery(url)));
}

/** A text without the values of parameters that have the name of one of the trigger's, in whatever URL they are. */
export function maskParameters(text: string): string {
	return text.replace(ownParameter, `$1${mask}`);
}

/** The URL of a subscription, or a text with such URLs, as people and models may see it. Other parameters stay. */
export function maskTriggerUrls(text: string): string {
	if (!text.includes('=') && !text.includes('%')) return text;
	const url = isTriggerUrl(text)
		? allUrlParameters.reduce((left, name) => withValue(left, name, mask), text)
		: text;
	return triggerQuery.test(url) ? maskParameters(url) : url;
}

/** A value as JSON sends it, in which all such texts are as people may see them. */
export function copyMasked(value: object): IDataObject {
	const mask = (_: string, member: unknown) =>
		typeof member === 'string' ? maskTriggerUrls(member) : member;
	return JSON.parse(JSON.stringify(value, mask)) as IDataObject;
}

/** Whether a URL was copied from where its secrets are hidden. */
export function isMasked(url: string): boolean {
	return (
		maskedParameter.test(url) || allUrlParameters.some((name) => readParameter(url, name) === mask)
	);
}
