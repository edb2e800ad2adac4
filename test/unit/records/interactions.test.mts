import type { ApiRequest } from '../../../nodes/api/request.ts';
import {
	listInteractionFields,
	readSessionInteractions,
} from '../../../nodes/records/interactions.ts';
import { failure, respond as makeResponse } from '../api/responding.mts';

const session = { audienceSessionId: 'audsession_1', timeSpentSeconds: 4 };
const fields = listInteractionFields({ includeInteractions: true });

const respond = (body: unknown) => async (request: ApiRequest) =>
	await Promise.resolve(makeResponse({ body, request }));

describe('the interactions of a session', () => {
	it('are asked for with its ID, encoded', async () => {
		const paths: string[] = [];
		const send = async (request: ApiRequest) => {
			paths.push(request.path);
			return await respond({ found: true, interactions: [] })(request);
		};
		await readSessionInteractions({ audienceSessionId: 'a/b' }, send, fields);
		expect(paths).toEqual(['/audience_sessions/a%2Fb/interactions']);
	});

	it('are returned with whether the service found the session', async () => {
		const read = await readSessionInteractions(
			session,
			respond({ found: true, interactions: [{ type: 'click' }, { type: 'scroll' }] }),
			fields,
		);
		// Nothing of what is not wanted, and no reason why they could not be read.
		expect(read).toStrictEqual({
			interactions: [{ type: 'click' }, { type: 'scroll' }],
			interactionsFound: true,
		});
	});

	it.each([
		['are an empty list if the session was not found', { found: false }, false],
		['leave open whether it was found if the service does not say', { interactions: [] }, null],
	])('%s', async (_, body, interactionsFound) => {
		const read = await readSessionInteractions(session, respond(body), fields);
		expect(read).toEqual({ interactions: [], interactionsFound });
	});

	it.each([
		[
			'a failed request',
			async () => {
				throw failure({ status: 503 });
			},
			'The service, or a proxy on the way to it, is unavailable (503)',
		],
		['a response without a list', respond({ found: true }), 'something other than a list'],
	])('say what went wrong after %s', async (_, send, message) => {
		expect(await readSessionInteractions(session, send, fields)).toEqual({
			interactions: null,
			interactionsFound: null,
			interactionsError: expect.stringContaining(message),
		});
	});

	it.each([[{}], [{ audienceSessionId: ' ' }]])(
		'say that the session %j has no ID, and ask for nothing',
		async (nameless) => {
			const send = jest.fn(respond({}));
			const read = await readSessionInteractions(nameless, send, fields);
			expect(read.interactionsError).toBe('The session has no audienceSessionId');
			expect(send).not.toHaveBeenCalled();
		},
	);

	it('end with the execution when it is cancelled', async () => {
		const cancelled = new Error('cancelled');
		const send = async () => await Promise.reject(cancelled);
		await expect(readSessionInteractions(session, send, fields)).rejects.toBe(cancelled);
	});

	it('are left out where only the answers are wanted', async () => {
		const answers = listInteractionFields({ addAnswers: true });
		const interactions = [{ label: 'Name', responseText: 'Ada' }, { label: 'Send' }];
		const read = async (body: unknown) =>
			await readSessionInteractions(session, respond(body), answers);
		expect(await read({ found: true, interactions })).toEqual({
			answers: { Name: 'Ada' },
			interactionsFound: true,
		});
		expect(await read({ found: false })).toEqual({ answers: {}, interactionsFound: false });
		expect(await read('no')).toEqual({
			answers: null,
			interactionsFound: null,
			interactionsError: expect.any(String) as string,
		});
	});

	it.each([
		[{}, []],
		[{ includeInteractions: false, addAnswers: false }, []],
		[
			{ includeInteractions: true, addAnswers: true },
			['answers', 'interactions', 'interactionsFound', 'interactionsError'],
		],
	])('add with %j the fields %j', (choice, names) => {
		expect(listInteractionFields(choice)).toEqual(names);
	});
});
