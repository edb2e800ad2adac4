declare const apiPath: unique symbol;

/** A path below `/v0` in which every value is exactly one encoded segment. Only the `path` tag makes one. */
export type ApiPath = string & { readonly [apiPath]: true };

/** A value that cannot be one segment of a path. */
export class PathSegmentError extends Error {
	readonly value: string;

	constructor(value: string, why: string) {
		super(`cannot be used as an ID, because it is ${why}`);
		this.value = value;
	}
}

/**
 * Builds a path: path`/pages/${pageId}/audiences`.
 * Nobody encodes path values on the way to the service, and `..` is resolved before sending,
 * so an unencoded value could reach another endpoint.
 * @throws {PathSegmentError}
 */
export function path(fixed: TemplateStringsArray, ...values: string[]): ApiPath {
	const segments = values.map(encodeSegment);
	return fixed.reduce((built, text, i) => built + text + (segments[i] ?? ''), '') as ApiPath;
}

function encodeSegment(value: string): string {
	if (value === '') throw new PathSegmentError(value, 'empty');
	if (value === '.' || value === '..') throw new PathSegmentError(value, `"${value}"`);
	// A lone half of a surrogate pair makes encodeURIComponent throw a URIError that names nothing.
	if (!value.isWellFormed()) throw new PathSegmentError(value, 'not valid Unicode');
	return encodeURIComponent(value);
}
