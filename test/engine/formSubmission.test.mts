import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type OfflineRun, runOffline } from './offline.mts';
import { requestLimits } from '../groups.mts';

/* How a session is recognized is in test/unit/resources/getByFormSubmission.test.mts, and its answers are in answers.test.mts. */

const session = (n: number): IDataObject => ({
	audienceSessionId: `audsession_${n}`,
	formSubmissionId: `submission_${n}`,
});
const respond = (...items: IDataObject[]) => ({ status: 200, body: { items, hasMore: false } });
const submissions = (...names: string[]) =>
	names.map((name) => ({ formSubmissionId: `submission_${name}` }));

const find = async (
	items: IDataObject[],
	parameters: INodeParameters = {},
	run: Partial<OfflineRun> = {},
) =>
	await runOffline({
		parameters: {
			...{ resource: 'audienceSession', operation: 'getByFormSubmission', pageId: 'page_1' },
			...{ simplify: false, addAnswers: false },
			...parameters,
		},
		items,
		answer: () => respond(session(1), session(2)),
		...run,
	});

test('finds the session of each item, wherever its ID is, and reads the list once', async () => {
	const { json, output, hints, exchanges } = await find([
		{ event: { data: { formSubmissionId: 'submission_1' } } },
		{ rows: [{ audienceSessionId: 'audsession_2', id: 'something else' }] },
		{ formSubmissionId: 'unknown' },
	]);
	expect(json).toEqual([
		{ ...session(1), found: true, foundBy: 'formSubmissionId' },
		{ ...session(2), found: true, foundBy: 'audienceSessionId' },
		{ found: false },
	]);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	expect([exchanges.length, hints]).toEqual([1, []]);
});

test('a reading that fails is an error, not a session that was not found', async () => {
	const answer = () => ({ ...respond(), status: 403 });
	const onError = 'continueRegularOutput';
	const { json, exchanges } = await find(submissions('1', '2'), {}, { answer, onError });
	const error = expect.stringContaining('(403)') as string;
	expect(json).toMatchObject([{ error }, { error }]);
	expect(exchanges).toHaveLength(1);
});

test('waits for sessions that are late, and reads for all items at once', async () => {
	const options = { ...requestLimits({ concurrency: 2 }), waitUpToSeconds: 12, lookBackHours: 1 };
	const { json, exchanges } = await find(
		submissions('1', '2', 'never'),
		{ options },
		{ answer: (_, sent) => (sent === 0 ? respond() : respond(session(1), session(2))) },
	);
	expect(json.map(({ found }) => found)).toEqual([true, true, false]);
	const [{ startedAtMs: began, request }] = exchanges;
	const at = exchanges.map(({ startedAtMs }) => startedAtMs - began);
	expect(at).toEqual([0, 5_000, 10_000, 12_000]);
	expect(Date.parse(request.query.startDate)).toBe(began - 3_600_000);
});

test('ends at once when it is cancelled while it waits', async () => {
	const controller = new AbortController();
	const { output, status, exchanges } = await find(
		submissions('1', '2'),
		{ options: { waitUpToSeconds: 600 } },
		{
			signal: controller.signal,
			answer: () => {
				setTimeout(() => controller.abort(), 1_000);
				return respond();
			},
		},
	);
	expect([output, status, exchanges.length]).toEqual([[], 'canceled', 1]);
});
