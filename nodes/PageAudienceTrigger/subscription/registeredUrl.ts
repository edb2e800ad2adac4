import { parseJson } from '../../api/text';

export { allUrlParameters, urlParameters } from '../../api/triggerUrl';

export function writeHex(value: unknown): string {
	return Buffer.from(JSON.stringify(value)).toString('hex');
}

/** undefined for what neither `writeHex` nor version 0.1.0 has written, which wrote base64url. */
export function readHex(text: string): unknown {
	const encoding = /^[\da-f]*$/.test(text) ? 'hex' : 'base64url';
	return parseJson(Buffer.from(text, encoding).toString());
}
