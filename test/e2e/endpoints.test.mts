import { handlers, Store } from '../../sandbox/index.mts';
import { itemsOf, originOf, type JsonObject } from '../../tools/n8n/execution.mts';
import type { ExpectedOutput } from './case.mts';
import { accountCases } from './cases/accounts.mts';
import { audienceCases } from './cases/audiences.mts';
import { pageReadCases } from './cases/pageReads.mts';
import { pageWriteCases } from './cases/pageWrites.mts';
import { personCases } from './cases/persons.mts';
import { pageLinkCases, sessionCases } from './cases/sessionsAndLinks.mts';
import { subscriptionCases } from './cases/subscriptions.mts';
import { openWorkbench, tested, type Workbench } from './workbench.mts';

const seed = new Store();
const cases = [
	personCases,
	accountCases,
	pageWriteCases,
	pageReadCases,
	audienceCases,
	sessionCases,
	pageLinkCases,
	subscriptionCases,
].flatMap((casesOf) => casesOf(seed));

let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
afterAll(() => bench.close());

test('every endpoint has a case', () => {
	expect(cases.map(({ endpoint }) => endpoint).sort()).toEqual(Object.keys(handlers).sort());
});

test.each(cases)('$endpoint', async ({ endpoint, parameters, items, requests, outputs }) => {
	bench.sandbox.reset();
	bench.sandbox.guesses.maximumLimit = 1_000;
	const execution = await bench.runNode(parameters, items);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');

	const received = [...bench.sandbox.requests];
	const seen = received.map(({ method, path, query, body }) => ({ method, path, query, body }));
	for (const { method, path, query = {}, body } of requests) {
		expect(seen).toContainEqual({ method, path, query, body });
	}
	expect(seen).toHaveLength(requests.length);
	for (const request of received) {
		expect(request.operationId).toBe(endpoint);
		expect(request.headers['x-api-key']).toBe(bench.sandbox.apiKey);
		expect(request.path + request.rawQuery + request.rawBody).not.toContain(bench.sandbox.apiKey);
	}

	const given = itemsOf(execution, tested);
	for (const [index, output] of outputs.entries()) {
		const own = given.filter((item) => originOf(item) === index).map(({ json }) => json);
		expect(own).not.toEqual([]);
		expect(own).toEqual(await listExpected(output));
	}
	expect(given.filter((item) => ![0, 1].includes(originOf(item) ?? -1))).toEqual([]);
});

async function listExpected(output: ExpectedOutput): Promise<unknown[]> {
	if ('record' in output) return [expect.objectContaining(output.record)];
	const answer = await bench.read(output.read);
	return listRecords(answer).map((record) => ({ ...record, ...output.added }));
}

function listRecords(answer: unknown): JsonObject[] {
	if (Array.isArray(answer)) return answer as JsonObject[];
	const { items, interactions } = answer as { items?: JsonObject[]; interactions?: JsonObject[] };
	return items ?? interactions ?? [answer as JsonObject];
}
