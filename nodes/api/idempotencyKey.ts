import { type ApiRequest, isObject } from './request';

/** The key by which the service can recognize a request that was sent before. */
export function readKey({ body }: ApiRequest): string | undefined {
	return isObject(body) && typeof body.idempotencyKey === 'string'
		? body.idempotencyKey
		: undefined;
}
