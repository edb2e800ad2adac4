import type { IDataObject } from 'n8n-workflow';
import { redact } from './redact';
import { allUrlParameters, maskParameters } from '../../api/triggerUrl';

/** A text without secrets: the given ones, and what stands for one in any URL in it. */
export function redactText(text: string, secrets: string[] = []): string {
	return maskParameters(redact(text, secrets));
}

/** Words in the names of headers that let in whoever has their value. */
const secretWords = [
	'assertion',
	'auth',
	'authorization',
	'apikey',
	'cookie',
	'cookie2',
	'jwt',
	'oidc',
	'passwd',
	'password',
	'principal',
	'secret',
	'token',
];

/** Whether the header would let its reader in somewhere, here or elsewhere. */
export function isSecret(name: string): boolean {
	const lower = name.toLowerCase();
	const words = lower.split(/[-_]/);
	return (
		words.some((word) => secretWords.includes(word)) ||
		/(^|[-_])api[-_]key([-_]|$)|client[-_]cert/.test(lower) ||
		/^cf-access-|^x-goog-(iap|authenticated)-/.test(lower)
	);
}

/** Without secrets of their own, and without those given. */
export function cleanHeaders(headers: IDataObject, secrets: string[]): IDataObject {
	const kept = Object.entries(headers).filter(([name]) => !isSecret(name));
	return redactHeaders(Object.fromEntries(kept) as IDataObject, secrets);
}

/** Proxies write the URL, with its secrets, into headers such as x-forwarded-uri and referer. */
export function redactHeaders(headers: IDataObject, secrets: string[]): IDataObject {
	const clean = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(clean);
		return typeof value === 'string' ? redactText(value, secrets) : value;
	};
	const cleaned = Object.entries(headers).map(([name, value]) => [name, clean(value)]);
	return Object.fromEntries(cleaned) as IDataObject;
}

/** Without the parameters that this trigger itself put into the registered URL. */
export function cleanQuery(query: IDataObject, secrets: string[]): IDataObject {
	const others = Object.entries(query).filter(([name]) => !allUrlParameters.includes(name));
	return redact(Object.fromEntries(others) as IDataObject, secrets);
}
