import {
	describeFailure,
	type FailedAttempts,
	RequestFailedError,
} from '../../../nodes/api/failure.ts';
import { path } from '../../../nodes/api/path.ts';
import type { ApiRequest, ApiResponse } from '../../../nodes/api/request.ts';

export const getPersons: ApiRequest = { method: 'GET', path: path`/persons` };

/** A response of the service. */
export const respond = (more: Partial<ApiResponse> = {}): ApiResponse => ({
	responded: true,
	status: 200,
	headers: {},
	body: {},
	request: getPersons,
	apiKey: 'key',
	...more,
});

/** What a failed request says to whoever has no options to change. */
export function explain(failed: FailedAttempts, origin: string) {
	const { message, description, details } = new RequestFailedError(describeFailure(failed, origin));
	return { message, description, details };
}
