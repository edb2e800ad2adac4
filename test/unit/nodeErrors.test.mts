import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { SendResult } from '../../nodes/api/causes.ts';
import { DescribedError, RequestFailedError } from '../../nodes/api/errors.ts';
import {
	describeError,
	toErrorItem,
	toHookError,
	toNodeError,
	toThrown,
} from '../../nodes/nodeErrors.ts';
import { ItemRefusedError } from '../../nodes/parameters/problem.ts';
import { getPersons, lose, node, respond } from './api/responding.mts';

const failed = (outcome: SendResult) =>
	new RequestFailedError(getPersons, outcome, { attempts: 1, repeated: false });
const notFound = failed(respond({ status: 404 }));
const lost = failed(lose('ECONNRESET', undefined, 'socket hang up'));
const lostAdvice =
	'Retry later. (socket hang up) If it keeps happening, check the Base URL in the credential, and the firewalls and proxies between n8n and the service.';
const used = new DescribedError('In use.', 'Nothing was changed.', { endpoint: 'GET /v0/persons' });
const refused = new ItemRefusedError([
	{ parameter: 'Name', message: 'is required' },
	{ parameter: 'Email', message: 'must be text' },
]);
const messages = 'Name is required; Email must be text';

test.each<[what: string, error: Error, message: string, description: string | undefined]>([
	['a failed request', notFound, notFound.message, notFound.description],
	['a lost connection', lost, lost.message, lostAdvice],
	['an error with what to do', used, 'In use.', 'Nothing was changed.'],
	['invalid values', refused, messages, undefined],
	['anything else', new Error('Something'), 'Something', undefined],
	['a sentence of n8n', new Error('It does not exist.'), 'It does not exist', undefined],
])('of %s have message, description, details and item', (_, error, message, description) => {
	const details = error instanceof DescribedError ? error.details : undefined;
	// n8n takes an item with any other key for a success.
	expect(toErrorItem(node, error, { item: 7, total: 8 })).toStrictEqual({
		json: {
			error: `${message} [item 7]`,
			details: { ...details, itemIndex: 7, ...(description !== undefined && { description }) },
		},
		pairedItem: { item: 7 },
	});
	const nodeError = toNodeError(node, error, describeError(error, { item: 3, total: 4 }));
	expect(nodeError.message).toBe(`${message} [item 3]`);
	expect(nodeError.description ?? undefined).toBe(description);
	expect(nodeError.context.itemIndex).toBe(3);
	if (details) expect(nodeError.context.data).toEqual({ ...details, itemIndex: 3 });
	const isRequest = error instanceof RequestFailedError;
	expect(nodeError).toBeInstanceOf(isRequest ? NodeApiError : NodeOperationError);
});

test('names no item if it is the only one', () => {
	const { json } = toErrorItem(node, refused, { item: 0, total: 1 });
	expect(json).toEqual({ error: messages, details: { itemIndex: 0 } });
});

test('has the status of the response, and none for a lost connection', () => {
	expect(toNodeError(node, notFound)).toHaveProperty('httpCode', '404');
	const nodeError = toNodeError(node, lost);
	expect(nodeError).toHaveProperty('httpCode', null);
	expect(JSON.stringify(nodeError)).not.toContain('undefined');
});

test('marks an item for the error output of every n8n, in a way that no copy of it keeps', () => {
	const onError = 'continueErrorOutput';
	const item = toErrorItem({ ...node, onError }, refused, { item: 0, total: 1 });
	expect(item.error?.message).toContain('Name is required');
	expect(Object.keys({ ...item })).toEqual(['json', 'pairedItem']);
	expect(toErrorItem(node, refused, { item: 0, total: 1 }).error).toBeUndefined();
});

const getCredentials = async () => await Promise.reject(new Error('no credential'));
const context = { getNode: () => node, getCredentials } as never;

test.each([
	[429, true, { cause: 'rate-limited', retryAfterMs: 7_000 }],
	[undefined, true, { cause: 'temporarily-unavailable' }],
	[404, false, { cause: 'configuration-invalid' }],
])('of %p, what may be over says who retries, and n8n is told when to', async (...given) => {
	const [status, passes, failure] = given;
	const error = status ? failed(respond({ status, headers: { 'retry-after': '7' } })) : lost;
	const next = 'The next poll retries.';
	const thrown = await toThrown(context, error, next);
	expect(Reflect.get(thrown, 'failure')).toEqual(failure);
	expect(String(Reflect.get(thrown, 'description')).startsWith(next)).toBe(passes);
});

test('a person who publishes reads in the message what to do, and n8n leaves the message as it is', async () => {
	const unknown = failed(lose('ENOTFOUND', undefined, 'getaddrinfo ENOTFOUND x'));
	const keyless = failed(respond({ status: 401, body: { message: 'Authorization is missing' } }));
	const told = [unknown, keyless, used, refused, new Error('Something')].map(
		async (error) => (await toHookError(context, error)).message,
	);
	expect(await Promise.all(told)).toEqual([
		`${unknown.message}. ${unknown.advise()}`,
		// n8n's older engine would never try to publish again.
		`${keyless.message}. ${keyless.description.replace('Authorization', 'authorization')}`,
		'In use. Nothing was changed.',
		messages,
		'Something',
	]);
});
