import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run } from './engine.mts';
import { runOffline } from './offline.mts';
import type { NetworkRequest } from './fakeNetwork.mts';
import { requestLimits } from '../groups.mts';

/* How a session is recognized is in test/unit/resources/getByFormSubmission.test.mts, and its answers are in answers.test.mts. */

const session = (n: number): IDataObject => ({
	audienceSessionId: `audsession_${n}`,
	formSubmissionId: `submission_${n}`,
});
const respond = (items: IDataObject[]) => ({ status: 200, body: { items, hasMore: false } });

async function find(
	items: IDataObject[],
	more: INodeParameters = {},
	run: Partial<Run> = {},
	answer: (request: NetworkRequest, sent: number) => ReturnType<typeof respond> = () =>
		respond([session(1), session(2)]),
) {
	const parameters = {
		resource: 'audienceSession',
		operation: 'getByFormSubmission',
		pageId: 'page_1',
		...{ simplify: false, addAnswers: false },
		...more,
	};
	const result = await runOffline({ answer, parameters, items, ...run });
	return { ...result, records: result.output.map(({ json }) => json) };
}

test('finds the session of each item, wherever its ID is, and reads the list once', async () => {
	const { records, output, hints, exchanges } = await find([
		{ event: { data: { formSubmissionId: 'submission_1' } } },
		{ rows: [{ audienceSessionId: 'audsession_2', id: 'something else' }] },
		{ formSubmissionId: 'unknown' },
	]);
	expect(records).toEqual([
		{ ...session(1), found: true, foundBy: 'formSubmissionId' },
		{ ...session(2), found: true, foundBy: 'audienceSessionId' },
		{ found: false },
	]);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	expect(exchanges).toHaveLength(1);
	expect(hints).toEqual([]);
});

test('an AI tool finds the ID that the model gives, and nothing in the conversation', async () => {
	const more = { identifier: 'submission_2', output: 'raw' };
	const { records } = await find([{ chat: 'submission_1' }], more, { asTool: true });
	expect(records).toMatchObject([{ audienceSessionId: 'audsession_2', found: true }]);
});

test('a reading that fails is an error, not a session that was not found', async () => {
	const answer = () => ({ ...respond([]), status: 403 });
	const more = { onError: 'continueRegularOutput' } as const;
	const items = ['one', 'two'].map((formSubmissionId) => ({ formSubmissionId }));
	const { records, exchanges } = await find(items, {}, more, answer);
	for (const { error } of records) expect(error).toContain('(403)');
	expect(exchanges).toHaveLength(1);
});

test('waits for sessions that are late, and reads for all items at once', async () => {
	const items = ['submission_1', 'submission_2', 'submission_never'].map((formSubmissionId) => ({
		formSubmissionId,
	}));
	const options = { ...requestLimits({ concurrency: 2 }), waitUpToSeconds: 12, lookBackHours: 1 };
	const answer = (_: NetworkRequest, sent: number) =>
		respond(sent === 0 ? [] : [session(1), session(2)]);
	const { records, exchanges } = await find(items, { options }, {}, answer);
	expect(records.map(({ found }) => found)).toEqual([true, true, false]);
	const [{ startedAtMs: began, request }] = exchanges;
	expect(exchanges.map(({ startedAtMs }) => startedAtMs - began)).toEqual([
		0, 5_000, 10_000, 12_000,
	]);
	expect(Date.parse(request.query.startDate)).toBe(began - 3_600_000);
});

test('ends at once when it is cancelled while it waits', async () => {
	const controller = new AbortController();
	const answer = () => {
		setTimeout(() => controller.abort(), 1_000);
		return respond([]);
	};
	const items = ['one', 'two'].map((formSubmissionId) => ({ formSubmissionId }));
	const options = { waitUpToSeconds: 600 };
	const { signal } = controller;
	const { output, status, exchanges } = await find(items, { options }, { signal }, answer);
	expect([output, status, exchanges.length]).toEqual([[], 'canceled', 1]);
});
