import type { ApiRequest, ApiResponse } from '../../../nodes/api/request.ts';
import {
	listInteractionFields,
	readSessionInteractions,
} from '../../../nodes/records/interactions.ts';
import { failure } from '../api/responding.mts';

const session = { audienceSessionId: 'audsession_1', timeSpentSeconds: 4 };
const fields = listInteractionFields({ includeInteractions: true });

function respond(body: unknown) {
	return async (request: ApiRequest): Promise<ApiResponse> => ({
		responded: true,
		status: 200,
		headers: {},
		body,
		request,
		apiKey: 'key',
	});
}

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

	it('are an empty list if the service did not find the session and sends no list', async () => {
		expect(await readSessionInteractions(session, respond({ found: false }), fields)).toEqual({
			interactions: [],
			interactionsFound: false,
		});
	});

	it('leave open whether the session was found if the service does not say', async () => {
		expect(await readSessionInteractions(session, respond({ interactions: [] }), fields)).toEqual({
			interactions: [],
			interactionsFound: null,
		});
	});

	it.each([
		[
			'a failed request',
			async () => {
				throw failure({ status: 503 });
			},
			'The service is unavailable (503)',
		],
		['a response without a list', respond({ found: true }), 'something other than a list'],
	])('say what went wrong after %s', async (_, send, message) => {
		expect(await readSessionInteractions(session, send, fields)).toEqual({
			interactions: null,
			interactionsFound: null,
			interactionsError: expect.stringContaining(message),
		});
	});

	it('end with the execution when it is cancelled', async () => {
		const cancelled = new Error('cancelled');
		const send = async () => await Promise.reject(cancelled);
		await expect(readSessionInteractions(session, send, fields)).rejects.toBe(cancelled);
	});

	it('are left out where only the answers are wanted', async () => {
		const answers = listInteractionFields({ addAnswers: true });
		const interactions = [{ label: 'Name', responseText: 'Ada' }, { label: 'Send' }];
		expect(
			await readSessionInteractions(session, respond({ found: true, interactions }), answers),
		).toEqual({ answers: { Name: 'Ada' }, interactionsFound: true });
		expect(await readSessionInteractions(session, respond({ found: false }), answers)).toEqual({
			answers: {},
			interactionsFound: false,
		});
		expect(await readSessionInteractions(session, respond('no'), answers)).toEqual({
			answers: null,
			interactionsFound: null,
			interactionsError: expect.any(String) as string,
		});
	});

	it.each([
		[{}, []],
		[{ includeInteractions: false, addAnswers: false }, []],
		[{ addAnswers: true }, ['answers', 'interactionsFound', 'interactionsError']],
		[{ includeInteractions: true }, ['interactions', 'interactionsFound', 'interactionsError']],
		[
			{ includeInteractions: true, addAnswers: true },
			['answers', 'interactions', 'interactionsFound', 'interactionsError'],
		],
	])('add with %j the fields %j', (choice, names) => {
		expect(listInteractionFields(choice)).toEqual(names);
	});
});
