import { parseJson } from '../../api/parseJson';

/** What the trigger puts into the query of the URL that it registers. All values survive a service that lowers letters. */
export const urlParameters = {
	/** The secret that deliveries must carry. */
	token: 'token',
	/** What production needs for copying deliveries to a test run, signed: see testOrder.ts. */
	test: 'test',
	/** The settings of the previous owner, where another trigger must be able to read them: see chain.ts. */
	back: 'back',
	/** The fingerprint of the snapshot that was saved when this URL was registered: see chain.ts. */
	kept: 'kept',
	/** Marks a copy of a delivery, signed. */
	copy: 'copy',
} as const;

export const allUrlParameters: string[] = Object.values(urlParameters);

export function writeHex(value: unknown): string {
	return Buffer.from(JSON.stringify(value)).toString('hex');
}

/** undefined for what neither `writeHex` nor version 0.1.0 has written, which wrote base64url. */
export function readHex(text: string): unknown {
	const encoding = /^[\da-f]*$/.test(text) ? 'hex' : 'base64url';
	return parseJson(Buffer.from(text, encoding).toString());
}
