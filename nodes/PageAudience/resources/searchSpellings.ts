import type { IDataObject } from 'n8n-workflow';
import { toUnicode } from 'punycode.js';
import type { ApiRequest } from '../../api/request';
import type { ListOptions, RunContext } from '../operation/operation';

/** Searches for a text, and for its other form if it has a domain with other letters: the service may have stored either. */
export async function searchSpellings(
	{ list }: Pick<RunContext, 'list'>,
	text: string,
	request: ApiRequest,
	options: ListOptions<IDataObject>,
): Promise<IDataObject[]> {
	const found = new Map<unknown, IDataObject>();
	for (const query of new Set([text, withLetters(text)])) {
		const asked = { ...request, query: { query, ...request.query } };
		for (const record of (await list(asked, { ...options, largest: 100 })).found)
			found.set(record[options.id], record);
	}
	return [...found.values()];
}

/** `xn--mnchen-3ya.example` as people write it. */
function withLetters(address: string): string {
	try {
		return toUnicode(address);
	} catch {
		return address;
	}
}
