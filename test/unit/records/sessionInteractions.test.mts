import { RequestFailedError } from '../../../nodes/api/failure.ts';
import type { ApiRequest, ApiResponse } from '../../../nodes/api/request.ts';
import { readSessionInteractions } from '../../../nodes/records/sessionInteractions.ts';

const session = { audienceSessionId: 'audsession_1', timeSpentSeconds: 4 };

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
		await readSessionInteractions({ audienceSessionId: 'a/b' }, send);
		expect(paths).toEqual(['/audience_sessions/a%2Fb/interactions']);
	});

	it('are returned with whether the service found the session', async () => {
		const read = await readSessionInteractions(
			session,
			respond({ found: true, interactions: [{ type: 'click' }, 'scroll'] }),
		);
		expect(read).toEqual({
			interactions: [{ type: 'click' }, { value: 'scroll' }],
			interactionsFound: true,
		});
	});

	it('are an empty list if the service did not find the session and sends no list', async () => {
		expect(await readSessionInteractions(session, respond({ found: false }))).toEqual({
			interactions: [],
			interactionsFound: false,
		});
	});

	it('leave open whether the session was found if the service does not say', async () => {
		expect(await readSessionInteractions(session, respond({ interactions: [] }))).toEqual({
			interactions: [],
			interactionsFound: null,
		});
	});

	it.each([
		[
			'a failed request',
			async () => {
				throw new RequestFailedError({
					message: 'The service is unavailable (503)',
					description: [],
					details: { endpoint: '', attempts: 1, maybeDone: false, repeated: false },
				});
			},
			'The service is unavailable (503)',
		],
		['a response without a list', respond({ found: true }), 'instead of a list'],
	])('say what went wrong after %s', async (_, send, message) => {
		expect(await readSessionInteractions(session, send)).toEqual({
			interactions: null,
			interactionsFound: null,
			interactionsError: expect.stringContaining(message),
		});
	});

	it.each([[{}], [{ audienceSessionId: 7 }], [{ audienceSessionId: '..' }]])(
		'say that the session %j has no usable ID, and ask for nothing',
		async (nameless) => {
			const send = jest.fn(respond({}));
			const read = await readSessionInteractions(nameless, send);
			expect(read.interactionsError).toContain('audienceSessionId cannot be used as an ID');
			expect(send).not.toHaveBeenCalled();
		},
	);

	it('end with the execution when it is cancelled', async () => {
		const cancelled = new Error('cancelled');
		const send = async () => await Promise.reject(cancelled);
		await expect(readSessionInteractions(session, send)).rejects.toBe(cancelled);
	});
});
