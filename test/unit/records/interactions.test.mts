import type { ApiRequest } from '../../../nodes/api/request.ts';
import {
	listInteractionFields,
	readSessionInteractions,
} from '../../../nodes/records/interactions.ts';
import { failure, respond } from '../api/responding.mts';

/* What sessions get by the operations and triggers is in test/engine/answers.test.mts and polling/events.test.mts. */

const interactions = [{ label: 'Name', responseText: 'Ada' }, { label: 'Send' }];
const both = listInteractionFields({ includeInteractions: true, addAnswers: true });

/** What is read of a session with this body, and the paths that are asked for. */
async function read(body: unknown, audienceSessionId = 'a/b') {
	const asked: string[] = [];
	const send = async (request: ApiRequest) => {
		asked.push(request.path);
		if (body instanceof Error) throw body;
		return await Promise.resolve(respond({ body, request }));
	};
	return { read: await readSessionInteractions({ audienceSessionId }, send, both), asked };
}

test.each<[what: string, body: unknown, read: object]>([
	['was found', { found: true, interactions }, { answers: { Name: 'Ada' }, interactions }],
	['was not found', { found: false }, { answers: {}, interactions: [], interactionsFound: false }],
	['is or is not there', { interactions }, { interactions, interactionsFound: null }],
	[
		'cannot be read',
		failure({ status: 503 }),
		{ answers: null, interactions: null, interactionsFound: null },
	],
	['has something else', { found: true }, { interactions: null, interactionsFound: null }],
])('a session that %s is asked for by its ID, encoded', async (_, body, expected) => {
	const { read: found, asked } = await read(body);
	expect(found).toMatchObject({
		interactionsFound: true,
		...expected,
		// Only where they could not be read.
		...('interactions' in expected && expected.interactions === null
			? { interactionsError: expect.stringMatching(/\(503\)|other than a list/) as string }
			: {}),
	});
	expect('interactionsError' in found).toBe(found.interactions === null);
	expect(asked).toEqual(['/audience_sessions/a%2Fb/interactions']);
});

test('of a session without an ID, nothing is asked', async () => {
	const { read: found, asked } = await read({ found: true, interactions }, ' ');
	expect(found.interactionsError).toBe('The session has no audienceSessionId');
	expect(asked).toEqual([]);
});

test('the reading ends with the execution when it is cancelled', async () => {
	await expect(read(new Error('cancelled'))).rejects.toThrow('cancelled');
});
