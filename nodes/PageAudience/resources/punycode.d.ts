declare module 'punycode.js' {
	/** @throws {RangeError} */
	export function toUnicode(address: string): string;
}
