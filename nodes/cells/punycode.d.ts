declare module 'punycode.js' {
	/** @throws {RangeError} */
	export function decode(encoded: string): string;
}
