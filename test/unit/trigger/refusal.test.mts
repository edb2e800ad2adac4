import { RequestFailedError } from '../../../nodes/api/failure.ts';
import { isTooLong } from '../../../nodes/PageAudienceTrigger/service/refusal.ts';

const urlOf = (length: number): string => 'https://n8n.example.com/'.padEnd(length, 'a');

function refuse(status: number | undefined, said?: string): RequestFailedError {
	return new RequestFailedError({
		message: 'The request failed',
		description: said === undefined ? [] : [`The service said: "${said}".`],
		details: {
			...(status === undefined ? {} : { status }),
			...{ endpoint: 'PATCH', attempts: 1, maybeDone: false, repeated: false },
		},
	});
}

test.each<[what: string, error: unknown, blamed: boolean]>([
	['413', refuse(413, 'No'), true],
	['414', refuse(414, 'No'), true],
	['400 without a reason', refuse(400), true],
	['422 without a reason', refuse(422), true],
	['422 about the URL', refuse(422, 'Invalid url'), true],
	['422 about the URI', refuse(422, 'Invalid URI'), true],
	['400 about a length', refuse(400, 'Maximum length exceeded'), true],
	['400 about characters', refuse(400, 'At most 500 characters'), true],
	['400 about too long a text', refuse(400, 'Too long'), true],
	['400 about something else', refuse(400, 'Unknown event'), false],
	['422 about the curl client', refuse(422, 'Update curl'), false],
	['409', refuse(409), false],
	['500', refuse(500), false],
	['a lost connection', refuse(undefined), false],
	['another error', new Error('Too long'), false],
])('the length of a long URL may be the reason of %s, or not', (_, error, blamed) => {
	expect(isTooLong(urlOf(256), error)).toBe(blamed);
	expect(isTooLong(urlOf(255), error)).toBe(false);
});
