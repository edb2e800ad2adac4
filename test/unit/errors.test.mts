import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import {
	DescribedError,
	RequestFailedError,
	UnexpectedResponseError,
} from '../../nodes/api/errors.ts';
import type { SendResult } from '../../nodes/api/verdict.ts';
import { describeError, isDetailed, toErrorItem, toNodeError } from '../../nodes/errors.ts';
import { ItemRefusedError } from '../../nodes/parameters/problem.ts';
import { getPersons, respond } from './api/responding.mts';

const node: INode = {
	id: '1',
	name: 'Page Audience',
	type: 'n8n-nodes-page-audience.pageAudience',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const failed = (outcome: SendResult = respond({ status: 404 })) =>
	new RequestFailedError(getPersons, outcome, { attempts: 1, repeated: false });
const lost = failed({ responded: false, code: 'ECONNRESET', reason: 'socket hang up' });
const unexpected = new UnexpectedResponseError('a list', respond({ body: '<html>' }));
const refused = new ItemRefusedError([
	{ parameter: 'Name', message: 'is required' },
	{ parameter: 'Email', message: 'must be text' },
]);

const errors: Array<
	[what: string, error: Error, message: string, description: string | undefined]
> = [
	[
		'a failed request',
		failed(),
		'The address was not found (404)',
		'Check the ID. If every ID fails, check the Base URL in the credential.',
	],
	[
		'a lost connection',
		lost,
		'The connection was lost before the response was complete',
		'(socket hang up) Retry later.',
	],
	[
		'an unexpected response',
		unexpected,
		'The service responded with a web page instead of a list (200)',
		'Check the Base URL in the credential: a proxy or a login page may have responded instead of the API.',
	],
	[
		'an error with what to do',
		new DescribedError(
			'Not resent: an earlier attempt got no response and may have succeeded',
			'Look for it in the service. If it is missing, choose Retry in the Executions tab.',
			{ endpoint: 'POST /v0/persons', maybeDone: true },
		),
		'Not resent: an earlier attempt got no response and may have succeeded',
		'Look for it in the service. If it is missing, choose Retry in the Executions tab.',
	],
	['invalid values', refused, 'Name is required; Email must be text', undefined],
	['anything else', new Error('Something'), 'Something', undefined],
];

/** The item of a run with one item. */
const only = { item: 0, total: 1 };

test.each(errors)(
	'an error item of %s has its message, description, details and item',
	(_, error, message, description) => {
		// n8n takes an item with any other key for a success.
		expect(toErrorItem(node, error, { item: 7, total: 8 })).toStrictEqual({
			json: {
				error: `${message} [item 7]`,
				details: {
					...(isDetailed(error) && error.details),
					itemIndex: 7,
					...(description !== undefined && { description }),
				},
			},
			pairedItem: { item: 7 },
		});
	},
);

test.each(errors)(
	"n8n's error for %s has its message, description and item",
	(_, error, message, description) => {
		const described = describeError(error, { item: 3, total: 4 });
		const nodeError = toNodeError(node, error, described);
		expect(nodeError.message).toBe(`${message} [item 3]`);
		expect(nodeError.context.itemIndex).toBe(3);
		expect(nodeError.description ?? undefined).toBe(description);
		const isRequest = error instanceof RequestFailedError;
		expect(nodeError).toBeInstanceOf(isRequest ? NodeApiError : NodeOperationError);
		if (isDetailed(error))
			expect(nodeError.context.data).toEqual({ ...error.details, itemIndex: 3 });
	},
);

test('lists every invalid value of an item, and names the item once, if it is not the only one', () => {
	const messages = 'Name is required; Email must be text';
	const among = { item: 0, total: 2 };
	expect(toErrorItem(node, refused, among).json.error).toBe(`${messages} [item 0]`);
	expect(toErrorItem(node, refused, only).json).toEqual({
		error: messages,
		details: { itemIndex: 0 },
	});
});

test('has the status of the response, and none for a lost connection', () => {
	expect(toNodeError(node, failed())).toHaveProperty('httpCode', '404');
	const nodeError = toNodeError(node, lost);
	expect(nodeError).toHaveProperty('httpCode', null);
	expect(JSON.stringify(nodeError)).not.toContain('undefined');
});

test('says where a response came from that is none of the API', () => {
	expect(describeError(unexpected).details).toEqual({
		status: 200,
		endpoint: 'GET /v0/persons',
		maybeDone: false,
	});
});

test('marks an item for the error output of every n8n, in a way that no copy of it keeps', () => {
	const item = toErrorItem({ ...node, onError: 'continueErrorOutput' }, refused, only);
	expect(item.error?.message).toContain('Name is required');
	expect(Object.keys({ ...item })).toEqual(['json', 'pairedItem']);
	expect(toErrorItem(node, refused, only).error).toBeUndefined();
});
