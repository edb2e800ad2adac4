import type { IDataObject, IHttpRequestOptions, INode } from 'n8n-workflow';
import type { SendResult } from '../../../nodes/api/causes.ts';
import { credentialType } from '../../../nodes/api/connection.ts';
import {
	type FailedAttempts,
	type FailureDetails,
	RequestFailedError,
} from '../../../nodes/api/errors.ts';
import {
	type ApiRequest,
	type ApiResponse,
	at,
	GET,
	PATCH,
	POST,
} from '../../../nodes/api/request.ts';

export const getPersons = GET(at.person`/persons`);
export const createPerson = POST(at.person`/persons`, { name: 'Ann' });
export const updateAccount = PATCH(at.account`/accounts/${'a'}`, { name: 'A' });

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

/** A lost connection. */
export const lose = (code?: string, syscall?: string, reason = 'gone'): SendResult => ({
	responded: false,
	...{ code, syscall, reason },
});

/** What a failed request says, that was sent once unless told. */
export function explain(
	request: ApiRequest,
	outcome: SendResult,
	attempts: Partial<FailedAttempts> = {},
) {
	// The client notes with a response what it asked for.
	const result = outcome.responded ? { ...outcome, request } : outcome;
	const tried = { attempts: 1, repeated: false, ...attempts };
	const error = new RequestFailedError(request, result, tried);
	return { message: error.message, description: error.advise(), details: error.details };
}

/** A request that failed with these details. */
export function failure(details: Partial<FailureDetails>, message?: string) {
	const { status = 500, code } = details;
	const outcome = code === undefined ? respond({ status }) : lose(code);
	const error = new RequestFailedError(getPersons, outcome, { attempts: 1, repeated: false });
	Object.assign(error.details, details);
	if (message !== undefined) error.message = message;
	return error;
}

export const node: INode = {
	id: '1',
	name: 'Page Audience',
	type: 'n8n-nodes-page-audience.pageAudience',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

export const credential = { baseUrl: 'https://api.example.com', apiKey: 'key' };

/** What n8n gives to requests. `answer` returns what its helper returns for one, or throws. */
export const makeContext = (answer: () => unknown, data: IDataObject = credential) => ({
	getCredentials: async <T,>(type: string) =>
		await Promise.resolve((type === credentialType ? data : {}) as T),
	helpers: {
		httpRequestWithAuthentication: jest.fn(
			async (_type: string, _options: IHttpRequestOptions, _more?: object): Promise<unknown> =>
				await answer(),
		),
	},
});
