import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox/index.mts';
import { runNode, type Run, type RunResult } from './engine.mts';

let sandbox: Sandbox;
let ids: { accounts: string[]; page: string; audiences: string[]; persons: string[] };
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => {
	sandbox.reset();
	const { accounts, pages, audiences, persons } = sandbox.store;
	const page = [...pages][0].pageId;
	ids = {
		accounts: [...accounts].map(({ accountId }) => accountId),
		page,
		audiences: audiences.of(page).map(({ audienceId }) => audienceId),
		persons: [...persons].map(({ personId }) => personId),
	};
});
afterAll(async () => await sandbox.close());

const run = async (
	parameters: INodeParameters,
	items: IDataObject[],
	more: Partial<Run> = {},
): Promise<RunResult> =>
	await runNode({
		parameters,
		items,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		...more,
	});

/** Every kind of endpoint, with what it writes per item, if it does. */
const kinds: Record<
	string,
	{ parameters: INodeParameters; repeatable: boolean; written?: () => number }
> = {
	'a list': {
		parameters: { resource: 'person', operation: 'getAll', limit: 2 },
		repeatable: true,
	},
	'a record': {
		parameters: { resource: 'page', operation: 'getAnalyticsSummary', pageId: '={{ $json.page }}' },
		repeatable: true,
	},
	'an update': {
		parameters: {
			resource: 'account',
			operation: 'update',
			accountId: '={{ $json.account }}',
			name: '={{ $json.name }}',
		},
		repeatable: true,
		written: () =>
			[...sandbox.store.accounts].filter(({ name }) => name?.startsWith('new ')).length,
	},
	'an archiving': {
		parameters: {
			resource: 'audience',
			operation: 'archive',
			pageId: '={{ $json.page }}',
			audienceId: '={{ $json.audience }}',
		},
		repeatable: true,
	},
	'a restoring': {
		parameters: {
			resource: 'audience',
			operation: 'restore',
			pageId: '={{ $json.page }}',
			audienceId: '={{ $json.audience }}',
		},
		repeatable: true,
	},
	'a creation': {
		parameters: { resource: 'person', operation: 'create', name: '={{ $json.name }}' },
		repeatable: false,
		written: () => [...sandbox.store.persons].filter(({ name }) => name.startsWith('new ')).length,
	},
	'a log with a key': {
		parameters: {
			resource: 'personLog',
			operation: 'create',
			source: 'test',
			person: { personId: '={{ $json.person }}' },
			payloadMode: 'inputItem',
		},
		repeatable: true,
		written: () => [...sandbox.store.personLogs].filter(({ source }) => source === 'test').length,
	},
	'a log without a key': {
		parameters: {
			resource: 'personLog',
			operation: 'create',
			source: 'test',
			person: { personId: '={{ $json.person }}' },
			idempotency: 'none',
		},
		repeatable: false,
		written: () => [...sandbox.store.personLogs].filter(({ source }) => source === 'test').length,
	},
};

/** Items that write to as many records. */
const makeItems = (count: number) =>
	Array.from({ length: count }, (_, i) => ({
		name: `new ${i}`,
		account: ids.accounts[i],
		page: ids.page,
		audience: ids.audiences[i],
		person: ids.persons[i],
	}));

const numbersOf = ({ output }: RunResult) =>
	[...new Set(output.map(({ pairedItem }) => (pairedItem as { item: number }).item))].sort();

/** Faults after which the request may always be sent again. */
const notTaken: Fault[] = [
	{ kind: 'status', status: 429 },
	{ kind: 'status', status: 429, headers: { 'retry-after': '0' } },
	{ kind: 'status', status: 503, headers: { 'retry-after': '0' } },
];
/** Faults after which the service may have done the work. */
const unknown: Fault[] = [
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 502, afterWork: true },
	{ kind: 'status', status: 503 },
	{ kind: 'status', status: 408 },
	{ kind: 'resetBefore' },
	{ kind: 'resetAfter' },
	{ kind: 'cutBody' },
];

describe.each(Object.keys(kinds))('%s', (kind) => {
	const { parameters, repeatable, written } = kinds[kind];
	const maxRetries = 1;

	test('is sent again after the service did not take it', async () => {
		for (const fault of notTaken) sandbox.faults.add(fault);
		const items = makeItems(notTaken.length);
		const result = await run({ ...parameters, options: { maxRetries } }, items);
		expect(result.error).toBeUndefined();
		expect(numbersOf(result)).toEqual(items.map((_, i) => i));
		expect(sandbox.requests.filter(({ fault }) => fault)).toHaveLength(notTaken.length);
		expect(sandbox.requests).toHaveLength(2 * notTaken.length);
		if (written) expect(written()).toBe(items.length);
	});

	test('whose outcome is unknown is never there twice', async () => {
		for (const fault of unknown) sandbox.faults.add(fault);
		const items = makeItems(unknown.length + 1);
		const result = await run({ ...parameters, options: { maxRetries } }, items, {
			onError: 'continueErrorOutput',
		});
		expect(sandbox.requests.filter(({ fault }) => fault)).toHaveLength(unknown.length);
		if (repeatable) {
			expect(result.errors).toEqual([]);
			expect(numbersOf(result)).toEqual(items.map((_, i) => i));
			expect(sandbox.requests).toHaveLength(items.length + unknown.length);
			if (written) expect(written()).toBe(items.length);
		} else {
			expect(result.output).toHaveLength(1);
			expect(result.errors).toHaveLength(unknown.length);
			expect(sandbox.requests).toHaveLength(items.length);
			// One went through, and three were done before their answers were lost.
			expect(written?.()).toBe(4);
			const doubtful = result.errors.filter(({ json }) => (json.details as IDataObject).maybeDone);
			expect(doubtful).toHaveLength(unknown.length - 1);
		}
	});
});

describe('a service that never recovers', () => {
	test.each<[maxRetries: number, requests: number]>([
		[0, 2],
		[1, 4],
		[2, 6],
	])('with %d retries is asked so often and no more', async (maxRetries, requests) => {
		sandbox.faults.add({ kind: 'status', status: 500, times: Infinity });
		const { errors } = await run(
			{ ...kinds['a list'].parameters, options: { maxRetries } },
			makeItems(2),
			{
				onError: 'continueErrorOutput',
			},
		);
		expect(sandbox.requests).toHaveLength(requests);
		expect(errors).toHaveLength(2);
		expect(errors[0].json.details).toMatchObject({ status: 500, attempts: maxRetries + 1 });
	});

	test('a wait of more than a minute is not waited for, and told', async () => {
		sandbox.faults.add({
			kind: 'status',
			status: 429,
			headers: { 'retry-after': '3600' },
			times: Infinity,
		});
		const { error } = await run(kinds['a creation'].parameters, makeItems(2));
		expect(error?.message).toMatch(/^The service takes no more requests for now \(429\)/);
		expect(error?.description).toContain('3600 seconds');
		expect(sandbox.requests.length).toBeLessThanOrEqual(2);
	});
});

test('a rate limit loses nothing and doubles nothing, and the run says that it waited', async () => {
	sandbox.faults.add({ kind: 'rateLimit', requests: 20, perMs: 400 });
	const items = Array.from({ length: 60 }, (_, i) => ({ name: `new ${i}` }));
	const result = await run(kinds['a creation'].parameters, items);
	expect(result.error).toBeUndefined();
	expect(result.output.map(({ json }) => json.name)).toEqual(items.map(({ name }) => name));
	expect(kinds['a creation'].written?.()).toBe(60);
	expect(sandbox.requests.length).toBeLessThan(120);
	expect(result.hints.join()).toMatch(/^The run waited \d+ seconds? because/);
});

test('one 503 in the middle of a list loses no page', async () => {
	sandbox.faults.add({ kind: 'status', status: 503, skip: 1 });
	sandbox.faults.add({ kind: 'cutBody', skip: 2 });
	const parameters = { resource: 'person', operation: 'getAll', returnAll: true };
	const result = await run(parameters, [{}, {}]);
	expect(result.error).toBeUndefined();
	const all = [...sandbox.store.persons].map(({ personId }) => personId);
	for (const item of [0, 1]) {
		const own = result.output.filter(
			({ pairedItem }) => JSON.stringify(pairedItem) === `{"item":${item}}`,
		);
		expect(own.map(({ json }) => json.personId)).toEqual(all);
	}
});
