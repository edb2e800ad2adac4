import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What a secret is made for. Each purpose has secrets of its own. */
export type Purpose = 'copy' | 'test';

/** 64 lower-case hexadecimal digits, which no service changes that lowers the letters of a URL. */
export function sign(apiKey: string, purpose: Purpose, text: string): string {
	return hmac(apiKey, `${purpose}\n${text}`);
}

/**
 * The secret in the registered URL. It needs no state, so it can be checked in test runs, in n8n's webhook processes
 * and after a restart, none of which see what publishing wrote down.
 */
export function makeToken(apiKey: string, id: string, subscriptionId: string): string {
	return hmac(apiKey, `${id}:${subscriptionId}`);
}

/** 256 bits in base64url, as version 0.1.0 wrote them. A subscription keeps its URL until the next publishing. */
const earlierForm = /^[\w-]{43}$/;

/** Whether it could be a secret at all: 256 bits in hexadecimal digits, or in the form of 0.1.0. */
export function isTokenLike(value: unknown): value is string {
	return typeof value === 'string' && (/^[0-9a-f]{64}$/.test(value) || earlierForm.test(value));
}

/** In constant time, whatever the lengths. */
export function isSameToken(one: string, other: string): boolean {
	const digest = (token: string) => createHash('sha256').update(toHex(token)).digest();
	return timingSafeEqual(digest(one), digest(other));
}

function toHex(token: string): string {
	return earlierForm.test(token) ? Buffer.from(token, 'base64url').toString('hex') : token;
}

function hmac(key: string, text: string): string {
	return createHmac('sha256', key).update(text).digest('hex');
}
