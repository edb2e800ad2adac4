import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { parse } from 'yaml';

type OpenApiDocument = OpenAPIV3.DocumentV3_1;

const documentPath = join(import.meta.dirname, 'openapi.yaml');

/** Each call returns a fresh copy, because the validator changes the document it gets. */
export const loadDocument = (): OpenApiDocument => parse(readFileSync(documentPath, 'utf8'));

/** The document for the validator, which reads it once. */
export function loadForValidator(): OpenApiDocument {
	const document = loadDocument();
	allowPlainQueries(document);
	const { responses = {} } = document.paths?.['/v0/persons']?.post ?? {};
	// For the guess of a service that returns a person that exists.
	responses['200'] = responses['201'];
	return document;
}

/**
 * The validator rejects reserved characters (`:` in a date) and empty values in a query unless each parameter allows
 * them. RFC 3986 permits reserved characters in a query, and no documented rule forbids empty values.
 */
function allowPlainQueries({ components, paths }: OpenApiDocument): void {
	const shared = Object.values(components.parameters ?? {});
	const own = Object.values(paths ?? {}).flatMap((item) => item.get?.parameters ?? []);
	for (const parameter of [...shared, ...own]) {
		if ('$ref' in parameter || parameter.in !== 'query') continue;
		parameter.allowReserved = true;
		parameter.allowEmptyValue = true;
	}
}
