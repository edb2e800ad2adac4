import type { IDataObject } from 'n8n-workflow';
import { hashContent } from '../runtime/canonical';
import type { Connection } from './connection';
import { hasStatus, RequestFailedError } from './errors';
import { type ApiRequest, type ApiResponse, at, GET } from './request';
import { isId, readItems } from './response';

/** What a person corrects before the key can do anything: the address, the key or the proxy. */
const corrected = [301, 307, 308, 401, 407];

/**
 * A name of the tenant for all of its API keys, read from one of its people.
 * @returns undefined where the tenant has nobody, or the key may not read people: then only the key itself can tell
 * @throws {RequestFailedError} if it may be told later
 */
export async function readTenant(
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
	send: (request: ApiRequest) => Promise<ApiResponse>,
): Promise<string | undefined> {
	const people = await send(GET(at.person`/persons`, { limit: 1 })).catch((error: unknown) => {
		const isRefused = error instanceof RequestFailedError && error.why.verdict === 'refused';
		if (isRefused && !hasStatus(error, ...corrected)) return undefined;
		throw error;
	});
	return people && tenantOf(readItems(people), baseUrl);
}

/** The same, of people that were read for something else. */
export function tenantOf([first]: IDataObject[], baseUrl: string): string | undefined {
	const tenantId = first?.tenantId;
	return isId(tenantId) ? hashContent([baseUrl, tenantId]).slice(0, 16) : undefined;
}
