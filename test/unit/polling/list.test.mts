import { events } from '../../../nodes/PageAudiencePollingTrigger/events.ts';
import { followList, type PolledList } from '../../../nodes/PageAudiencePollingTrigger/list.ts';
import { failure, respond } from '../api/responding.mts';

/** Goes on with a list where the poll before ended. */
const resume = async (send: PolledList['send']) => {
	const list = {
		event: events.newPerson,
		settings: {},
		deadline: {
			budgetMs: 60_000,
			endsAt: performance.now() + 60_000,
			signal: new AbortController().signal,
		},
		accepted: { largest: 1_000 },
		send,
	} as unknown as PolledList;
	const pages: unknown[] = [];
	for await (const page of followList(list, 0, { position: 'c1', limit: 100 })) pages.push(page);
	return pages;
};
/** No record, and the next poll begins anew. */
const again = [{ records: [], next: {} }];

test.each<[what: unknown, error: Error]>([
	...[400, 401, 403, 404, 409, 410, 422, 500].map((status): [number, Error] => [
		status,
		failure({ status }),
	]),
	['ECONNRESET', failure({ code: 'ECONNRESET' })],
	['no response', new Error('The service took longer to respond than a poll may take')],
])('after %s at its place, a list starts again', async (_, error) => {
	expect(await resume(async () => await Promise.reject(error))).toEqual(again);
});

test.each([
	['an empty page', { items: [], hasMore: false, nextCursor: null }],
	['something else', 'Sign in'],
])('%s where there was more is a forgotten position, too', async (_, body) => {
	expect(await resume(async () => await Promise.resolve(respond({ body })))).toEqual(again);
});
