import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type RecordedRequest, type Sandbox } from '../../sandbox/index.mts';
import { type Case, describeCases } from './cases/index.mts';
import { runNode } from './engine.mts';

let sandbox: Sandbox;
let cases: Map<string, Case>;
beforeAll(async () => {
	sandbox = await startSandbox();
	cases = new Map(describeCases(sandbox).map((each) => [each.operation, each]));
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const operations = [
	'account.create',
	'account.getActivity',
	'account.search',
	'account.update',
	'audience.archive',
	'audience.getAll',
	'audience.getVersions',
	'audience.restore',
	'audience.update',
	'audienceSession.getAll',
	'audienceSession.getInteractions',
	'page.create',
	'page.getAnalyticsSummary',
	'page.search',
	'page.update',
	'pageLink.update',
	'person.create',
	'person.getAll',
	'person.search',
	'personLog.create',
	'webhookSubscription.get',
	'webhookSubscription.getAll',
	'webhookSubscription.update',
];

function getCase(operation: string): Case {
	const found = cases.get(operation);
	if (!found) throw new Error(`There is no case for ${operation}`);
	return found;
}

const run = async (each: Case, more: Partial<Parameters<typeof runNode>[0]> = {}) =>
	await runNode({
		parameters: each.parameters,
		items: each.items,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		...more,
	});

const describeSent = ({ method, path, rawQuery, rawBody }: RecordedRequest) => ({
	request: `${method} ${path}`,
	...(rawQuery && { query: rawQuery }),
	...(rawBody && { body: JSON.parse(rawBody) as object }),
});

test('the cases are the 23 operations', () => {
	expect([...cases.keys()].sort()).toEqual(operations);
});

describe.each(operations)('%s', (operation) => {
	test('sends for each item what that item says', async () => {
		const each = getCase(operation);
		const { error } = await run(each);
		expect(error).toBeUndefined();
		expect(sandbox.requests.map(describeSent)).toEqual(each.sends);
		for (const { headers, rawBody } of sandbox.requests) {
			expect(headers['x-api-key']).toBe(sandbox.apiKey);
			expect(headers['content-type']).toBe(rawBody ? 'application/json' : undefined);
			expect(headers.accept).toBe('application/json');
		}
		if (each.sends[0].body) expect(sandbox.requests[0].rawBody).not.toBe('');
	});

	test('gives out the records as the API sent them, each linked to its item', async () => {
		const each = getCase(operation);
		const { output } = await run(each);
		const answers = sandbox.requests.map(({ status }) => status);
		expect(answers.every((status) => status === 200 || status === 201)).toBe(true);
		expect(new Set(output.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(
			new Set(['{"item":0}', '{"item":1}']),
		);
		for (const item of [0, 1]) {
			const own = output.filter(
				({ pairedItem }) => JSON.stringify(pairedItem) === `{"item":${item}}`,
			);
			const expected = await expectRecords(each, item);
			expect(own.map(({ json }) => json)).toEqual(expected);
			expect(own.length).toBeGreaterThan(0);
		}
		// In the order of the input.
		const order = output.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(order).toEqual([...order].sort());
	});
});

/** What comes back for an item: asked again for what is read, by what was sent for what is written. */
async function expectRecords(each: Case, item: number): Promise<unknown[]> {
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
