import type { IDataObject } from 'n8n-workflow';
import type { RecordedRequest, Sandbox } from '../../../sandbox/index.mts';
import type { Case } from './case.mts';

/** A request as a case describes it. */
export const describeSent = ({ method, path, rawQuery, rawBody }: RecordedRequest) => ({
	request: `${method} ${path}`,
	...(rawQuery && { query: rawQuery }),
	...(rawBody && { body: JSON.parse(rawBody) as object }),
});

/** The expected output of an item: for a read the same request sent directly, for a write the values that were sent. */
export async function expectRecords(
	sandbox: Sandbox,
	each: Case,
	item: number,
): Promise<unknown[]> {
	const { request, query, body } = each.sends[item];
	const [method, path] = request.split(' ');
	if (method !== 'GET') return [expectWritten(each, item, body ?? {})];
	const answer = await fetch(`${sandbox.url}${path}${query ? `?${query}` : ''}`, {
		headers: { 'x-api-key': sandbox.apiKey },
	});
	const received = (await answer.json()) as IDataObject & { items?: unknown[] };
	if (Array.isArray(received)) return received;
	const interactions = received.interactions as object[] | undefined;
	if (interactions) {
		return interactions.map((one) => ({ ...one, audienceSessionId: each.items[item].session }));
	}
	if (each.operation === 'page.getAnalyticsSummary') {
		return [{ ...received, pageId: each.items[item].page }];
	}
	return received.items ?? [received];
}

function expectWritten(each: Case, item: number, body: object): unknown {
	const values = each.items[item];
	const { metadata, metadataOverride, actions, ...plain } = body as IDataObject;
	const ids: Record<string, IDataObject> = {
		'account.update': { accountId: values.account },
		'audience.archive': { audienceId: values.audience, pageId: values.page, status: 'archived' },
		'audience.restore': { audienceId: values.audience, pageId: values.page, archivedAt: null },
		'audience.update': {
			audienceId: values.audience,
			supplementaryContext: null,
			metadataOverride: expect.objectContaining(metadataOverride ?? {}) as IDataObject,
		},
		'page.create': {
			metadata,
			actions: expect.arrayContaining([
				expect.objectContaining((actions as IDataObject[] | undefined)?.[0] ?? {}),
			]) as IDataObject,
		},
		'page.update': { pageId: values.page, headerActionId: undefined },
		'pageLink.update': { pageLinkId: values.link },
		'webhookSubscription.update': { subscriptionId: values.subscription },
		'personLog.create': { payload: undefined, email: undefined },
	};
	const { [each.operation]: known = {} } = ids;
	const expected = Object.entries({ ...plain, ...known }).filter(
		([, value]) => value !== undefined,
	);
	return expect.objectContaining(Object.fromEntries(expected));
}
