import { events } from '../../../nodes/PageAudiencePollingTrigger/events.ts';
import { type PolledList, readList } from '../../../nodes/PageAudiencePollingTrigger/list.ts';
import { failure, respond } from '../api/responding.mts';

/** Goes on with a list where the poll before ended. */
const resume = async (send: PolledList['send']) => {
	const list = {
		event: events.newPerson,
		settings: {},
		deadline: { budgetMs: 60_000, getRestMs: () => 60_000, signal: new AbortController().signal },
		accepted: { largest: 1_000 },
		send,
	} as unknown as PolledList;
	return await readList(
		list,
		0,
		{ position: 'c1', limit: 100 },
		async () => await Promise.resolve(true),
	);
};

test.each([400, 404, 410, 422])(
	'a position that is refused with %d is forgotten, so the list starts again',
	async (status) => {
		const rest = await resume(async () => await Promise.reject(failure({ status })));
		expect(rest).toEqual({});
	},
);

test('an empty page where there was more is a forgotten position, too', async () => {
	const body = { items: [], hasMore: false, nextCursor: null };
	expect(await resume(async () => await Promise.resolve(respond({ body })))).toEqual({});
});

test.each([
	...[401, 403, 409, 429, 500, 503].map((status) => failure({ status })),
	failure({ code: 'ECONNRESET' }),
	new Error('The service did not respond within the time of a poll'),
])('after %s, the next poll goes on at the same position', async (error) => {
	await expect(resume(async () => await Promise.reject(error))).rejects.toBe(error);
});
