import type { IDataObject } from 'n8n-workflow';
import type { RecordedRequest } from '../../sandbox/index.mts';
import { type Case, describeCases, findCase, operationNames } from './cases/index.mts';
import { linkedTo, originOf, type Run } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();

const run = async (each: Case, more: Partial<Run> = {}) =>
	await stage.run(each.parameters, each.items, more);

const describeSent = ({ method, path, rawQuery, rawBody }: RecordedRequest) => ({
	request: `${method} ${path}`,
	...(rawQuery && { query: rawQuery }),
	...(rawBody && { body: JSON.parse(rawBody) as object }),
});

test('every operation has a case', () => {
	const cases = describeCases(stage.sandbox);
	expect(cases.map(({ operation }) => operation).sort()).toEqual([...operationNames].sort());
});

test.each([
	['person', 'getNothing', 'getNothing'],
	['nothing', 'create', ''],
	['page', 'search ', 'search '],
])('%s > %s that does not exist is named', async (resource, operation, named) => {
	const { error } = await stage.run({ resource, operation }, [{}, {}]);
	expect(error?.message).toBe(
		`The operation '${named}' of the resource '${resource}' does not exist`,
	);
	expect(error?.description).toBe("Choose a resource and an operation in the node's panel.");
	expect(stage.received).toEqual([]);
});

describe.each(operationNames)('%s', (operation) => {
	test('sends the values of each item', async () => {
		const each = findCase(stage.sandbox, operation);
		const { error } = await run(each);
		expect(error).toBeUndefined();
		expect(stage.sandbox.requests.map(describeSent)).toEqual(each.sends);
		for (const { headers, rawBody } of stage.sandbox.requests) {
			expect(headers['x-api-key']).toBe(stage.sandbox.apiKey);
			expect(headers['content-type']).toBe(rawBody ? 'application/json' : undefined);
			expect(headers.accept).toBe('application/json');
		}
		if (each.sends[0].body) expect(stage.sandbox.requests[0].rawBody).not.toBe('');
	});

	test('returns the records unchanged, each linked to its item', async () => {
		const each = findCase(stage.sandbox, operation);
		const { output } = await run(each);
		const answers = stage.sandbox.requests.map(({ status }) => status);
		expect(answers.every((status) => status === 200 || status === 201)).toBe(true);
		expect(new Set(output.map(originOf))).toEqual(new Set([0, 1]));
		for (const item of [0, 1]) {
			const own = linkedTo(output, item);
			const expected = await expectRecords(each, item);
			expect(own.map(({ json }) => json)).toEqual(expected);
			expect(own.length).toBeGreaterThan(0);
		}
		const order = output.map(originOf);
		expect(order).toEqual([...order].sort());
	});

	test('does not take an error for a record, whatever its status is', async () => {
		const each = findCase(stage.sandbox, operation);
		stage.sandbox.faults.add({ kind: 'answer', status: 200, body: { error: 'Locked' } });
		const { output, errors } = await run(each, { onError: 'continueErrorOutput' });
		expect(errors).toHaveLength(1);
		expect(errors[0].json.error).toContain('responded with an object (fields: error) instead of');
		const [failed] = errors.map(originOf);
		expect(new Set(output.map(originOf))).toEqual(new Set([1 - Number(failed)]));
	});
});

/** The expected output of an item: for a read the same request sent directly, for a write the values that were sent. */
async function expectRecords(each: Case, item: number): Promise<unknown[]> {
	const { request, query, body } = each.sends[item];
	const [method, path] = request.split(' ');
	if (method !== 'GET') return [expectWritten(each, item, body ?? {})];
	const answer = await fetch(`${stage.sandbox.url}${path}${query ? `?${query}` : ''}`, {
		headers: { 'x-api-key': stage.sandbox.apiKey },
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
