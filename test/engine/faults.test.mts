import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../sandbox/index.mts';
import { linkedTo, originOf, type RunResult } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let ids: { accounts: string[]; page: string; audiences: string[]; persons: string[] };
beforeEach(() => {
	const { accounts, pages, audiences, persons } = stage.sandbox.store;
	const page = [...pages][0].pageId;
	ids = {
		accounts: [...accounts].map(({ accountId }) => accountId),
		page,
		audiences: audiences.of(page).map(({ audienceId }) => audienceId),
		persons: [...persons].map(({ personId }) => personId),
	};
});

const audience = {
	resource: 'audience',
	pageId: '={{ $json.page }}',
	audienceId: '={{ $json.audience }}',
};
const log = {
	resource: 'personLog',
	operation: 'create',
	source: 'test',
	person: { personId: '={{ $json.person }}' },
};
const countLogs = () =>
	[...stage.sandbox.store.personLogs].filter(({ source }) => source === 'test').length;

/** Every kind of request, with a count of the records it writes. */
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
			[...stage.sandbox.store.accounts].filter(({ name }) => name?.startsWith('new ')).length,
	},
	'an archiving': { parameters: { ...audience, operation: 'archive' }, repeatable: true },
	'a restoring': { parameters: { ...audience, operation: 'restore' }, repeatable: true },
	'a creation': {
		parameters: { resource: 'person', operation: 'create', name: '={{ $json.name }}' },
		repeatable: false,
		written: () =>
			[...stage.sandbox.store.persons].filter(({ name }) => name.startsWith('new ')).length,
	},
	'a new account': {
		parameters: { resource: 'account', operation: 'create', domain: '={{ $json.domain }}' },
		repeatable: false,
		written: () =>
			[...stage.sandbox.store.accounts].filter(({ domain }) => domain.startsWith('new-')).length,
	},
	'a log with a key': {
		parameters: { ...log, payloadMode: 'inputItem' },
		repeatable: true,
		written: countLogs,
	},
	'a log without a key': {
		parameters: { ...log, idempotency: 'none' },
		repeatable: false,
		written: countLogs,
	},
};

/** Items that each write to a record of their own. */
const makeItems = (count: number) =>
	Array.from({ length: count }, (_, i) => ({
		name: `new ${i}`,
		account: ids.accounts[i],
		domain: `new-${i}.example`,
		page: ids.page,
		audience: ids.audiences[i],
		person: ids.persons[i],
	}));

const originsOf = ({ output }: RunResult) => [...new Set(output.map(originOf))].sort();

/** Faults after which every request may be resent. */
const notTaken: Fault[] = [
	{ kind: 'status', status: 429 },
	{ kind: 'status', status: 429, headers: { 'retry-after': '0' } },
	{ kind: 'status', status: 503, headers: { 'retry-after': '0' } },
];
/** Faults after which the request may have succeeded. */
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

	test('is resent when the service did not process it', async () => {
		for (const fault of notTaken) stage.sandbox.faults.add(fault);
		const items = makeItems(notTaken.length);
		const result = await stage.run({ ...parameters, options: { maxRetries } }, items);
		expect(result.error).toBeUndefined();
		expect(originsOf(result)).toEqual(items.map((_, i) => i));
		expect(stage.sandbox.requests.filter(({ fault }) => fault)).toHaveLength(notTaken.length);
		expect(stage.sandbox.requests).toHaveLength(2 * notTaken.length);
		if (written) expect(written()).toBe(items.length);
	});

	test('is never duplicated when its outcome is unknown', async () => {
		for (const fault of unknown) stage.sandbox.faults.add(fault);
		const items = makeItems(unknown.length + 1);
		const result = await stage.run({ ...parameters, options: { maxRetries } }, items, {
			onError: 'continueErrorOutput',
		});
		expect(stage.sandbox.requests.filter(({ fault }) => fault)).toHaveLength(unknown.length);
		if (repeatable) {
			expect(result.errors).toEqual([]);
			expect(originsOf(result)).toEqual(items.map((_, i) => i));
			expect(stage.sandbox.requests).toHaveLength(items.length + unknown.length);
			if (written) expect(written()).toBe(items.length);
		} else {
			expect(result.output).toHaveLength(1);
			expect(result.errors).toHaveLength(unknown.length);
			expect(stage.sandbox.requests).toHaveLength(items.length);
			// One succeeded, and three succeeded before their responses were lost.
			expect(written?.()).toBe(4);
			const doubtful = result.errors.filter(({ json }) => (json.details as IDataObject).maybeDone);
			expect(doubtful).toHaveLength(unknown.length);
		}
	});
});

describe('a service that never recovers', () => {
	test.each<[maxRetries: number, requests: number]>([
		[0, 2],
		[1, 4],
		[2, 6],
	])('with %d retries receives exactly that many', async (maxRetries, requests) => {
		stage.sandbox.faults.add({ kind: 'status', status: 500, times: Infinity });
		const { errors } = await stage.run(
			{ ...kinds['a list'].parameters, options: { maxRetries } },
			makeItems(2),
			{
				onError: 'continueErrorOutput',
			},
		);
		expect(stage.sandbox.requests).toHaveLength(requests);
		expect(errors).toHaveLength(2);
		expect(errors[0].json.details).toMatchObject({ status: 500, attempts: maxRetries + 1 });
	});

	test('fails when Retry-After is more than five minutes', async () => {
		stage.sandbox.faults.add({
			kind: 'status',
			status: 429,
			headers: { 'retry-after': '3600' },
			times: Infinity,
		});
		const { error } = await stage.run(kinds['a creation'].parameters, makeItems(2));
		expect(error?.message).toMatch(/^Rate limit reached \(429\)/);
		expect(error?.description).toContain('3600 seconds');
		expect(stage.sandbox.requests.length).toBeLessThanOrEqual(2);
	});
});

test('pauses for the rate limit without losing or duplicating items, and says so', async () => {
	stage.sandbox.faults.add({ kind: 'rateLimit', requests: 20, perMs: 1000 });
	const items = Array.from({ length: 60 }, (_, i) => ({ name: `new ${i}` }));
	const result = await stage.run(kinds['a creation'].parameters, items);
	expect(result.error).toBeUndefined();
	expect(result.output.map(({ json }) => json.name)).toEqual(items.map(({ name }) => name));
	expect(kinds['a creation'].written?.()).toBe(60);
	expect(stage.sandbox.requests.length).toBeLessThan(120);
	expect(result.hints.join()).toMatch(/^Waited \d+ seconds? for the rate limit/);
});

test('loses no page of a list to one 503', async () => {
	stage.sandbox.faults.add({ kind: 'status', status: 503, skip: 1 });
	stage.sandbox.faults.add({ kind: 'cutBody', skip: 2 });
	const parameters = { resource: 'person', operation: 'getAll', returnAll: true };
	const result = await stage.run(parameters, [{}, {}]);
	expect(result.error).toBeUndefined();
	const all = [...stage.sandbox.store.persons].map(({ personId }) => personId);
	for (const item of [0, 1]) {
		const own = linkedTo(result.output, item);
		expect(own.map(({ json }) => json.personId)).toEqual(all);
	}
});
