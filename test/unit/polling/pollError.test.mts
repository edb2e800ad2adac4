import {
	isPassing,
	PollError,
} from '../../../nodes/PageAudiencePollingTrigger/reading/pollError.ts';
import { failure } from '../api/responding.mts';

const fail = (status?: number) => failure({ status });

test.each([408, 429, 500, 503, 599])('a failure with status %i may end by itself', (status) =>
	expect(isPassing(fail(status))).toBe(true),
);

test.each([301, 400, 401, 403, 404, 407, 409, 428, 430, 499])(
	'a failure with status %i waits for a person',
	(status) => expect(isPassing(fail(status))).toBe(false),
);

test('a lost connection may end by itself, and an error of the node does not', () => {
	expect(isPassing(fail())).toBe(true);
	expect(isPassing(new Error('A parameter is missing'))).toBe(false);
	expect(isPassing(undefined)).toBe(false);
});

test('a poll that cannot do its work says itself whether that may end', () => {
	expect(isPassing(new PollError('Too slow', undefined, true))).toBe(true);
	expect(isPassing(new PollError('Never', undefined, false))).toBe(false);
});
