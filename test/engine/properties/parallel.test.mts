import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { generated, withinMs } from '../../generated.mts';
import { runAllOffline } from '../offline.mts';
import { FakeService } from './fakeService.mts';
import { lookingFor, type Spelled, spelled, spellings } from './lookups.mts';
import { requestLimits } from '../../groups.mts';

/*
 * Executions, and the parallel calls of an agent, look at the same moment. Each finds nobody, because nobody is there yet,
 * or because the search and the list lag behind.
 */

const longLagMs = 3_600_000;

interface Parallel {
	field: keyof typeof spellings;
	lookup: 'auto' | 'list' | 'search';
	asTool: boolean;
	searchLagMs: number;
	listLagMs: number;
	/** The items of each execution. */
	executions: Spelled[][];
	/** Of the first attempts to create somebody: each is lost, before or after the work. */
	lost: Array<'before' | 'after'>;
}

const parallel: fc.Arbitrary<Parallel> = fc.record({
	field: fc.constantFrom(...(Object.keys(spellings) as Array<keyof typeof spellings>)),
	lookup: fc.constantFrom('auto' as const, 'list' as const, 'search' as const),
	asTool: fc.boolean(),
	searchLagMs: fc.constantFrom(0, 1_500, longLagMs),
	listLagMs: fc.constantFrom(0, 1_500, longLagMs),
	executions: fc.array(fc.array(spelled, { minLength: 1, maxLength: 4 }), {
		minLength: 2,
		maxLength: 4,
	}),
	lost: fc.array(fc.constantFrom('before' as const, 'after' as const), { maxLength: 3 }),
});

/** What came out for each value: the IDs, and how often it was created. */
function group(executions: Spelled[][], results: Array<{ output: Array<{ json: IDataObject }> }>) {
	const groups = new Map<number, { ids: Set<unknown>; created: number }>();
	for (const [index, items] of executions.entries())
		for (const [item, { value }] of items.entries()) {
			const { personId, accountId, outcome } = results[index].output[item].json;
			const of = groups.get(value) ?? { ids: new Set(), created: 0 };
			of.ids.add(personId ?? accountId);
			if (outcome === 'created') of.created++;
			groups.set(value, of);
		}
	return [...groups.values()];
}

async function judge({ executions, lost, field, asTool, ...given }: Parallel): Promise<void> {
	// What was lost is looked for, so the service must show it in time, and no search is trusted that may miss it.
	const mostMs = lost.length > 0 ? 1_500 : longLagMs;
	const lookup = lost.length > 0 && given.lookup === 'search' ? 'auto' : given.lookup;
	const [searchLagMs, listLagMs] = [given.searchLagMs, given.listLagMs].map((ms) =>
		Math.min(ms, mostMs),
	);
	const service = new FakeService({ searchLagMs, listLagMs, existingAccount: 'duplicate' });
	const losses = [...lost];
	const { results } = await runAllOffline(
		executions.map((items) => ({
			...{ asTool, credential: { apiKey: service.apiKey } },
			...lookingFor({ field, lookup }, items),
		})),
		(request) => {
			const loss = request.method === 'POST' ? losses.shift() : undefined;
			if (loss === 'before') return { lost: 'ECONNRESET', message: 'lost' };
			const reply = service.answer(request);
			return loss ? { lost: 'ECONNRESET', message: 'lost' } : reply;
		},
	);
	for (const { error } of results) expect(error).toBeUndefined();
	for (const { ids, created } of group(executions, results)) {
		expect(ids.size).toBe(1);
		expect(ids).not.toContain(undefined);
		expect(created).toBe(1);
	}
	expect(service.works).toHaveLength(new Set(executions.flat().map(({ value }) => value)).size);
}

const settings = generated(60, 0.1);

test(
	'executions and calls at the same moment create nobody twice',
	async () => await fc.assert(fc.asyncProperty(parallel, judge), settings),
	withinMs(settings),
);

describe('at the same moment', () => {
	const items = [0, 1].map((value) => ({ value, spelling: 0 }));
	const makeRun = (field: Parallel['field'], apiKey: string, options: INodeParameters = {}) => ({
		credential: { apiKey },
		...lookingFor({ field, lookup: 'search' }, items, options),
	});

	test('another API key, or a later run, does not know what was created', async () => {
		for (const field of ['email', 'domain'] as const) {
			const service = new FakeService({ searchLagMs: longLagMs, existingAccount: 'duplicate' });
			const answer = service.answer.bind(service);
			const run = makeRun(field, service.apiKey);
			const other = { ...run, credential: { apiKey: `other ${service.apiKey}` } };
			const { results } = await runAllOffline([run, other], answer);
			const created = ['created', 'created'];
			for (const { output } of results)
				expect(output.map(({ json }) => json.outcome)).toEqual(created);
			for (const collection of [service.store.persons, service.store.accounts]) collection.clear();
			const later = await runAllOffline([run], answer);
			expect(later.results[0].output.map(({ json }) => json.outcome)).toEqual(created);
		}
	});

	test('what one leaves in doubt, the next one waits for', async () => {
		for (const field of ['email', 'domain'] as const) {
			const service = new FakeService({ searchLagMs: 1_500, existingAccount: 'duplicate' });
			const run = makeRun(field, service.apiKey, requestLimits({ maxRetries: 0 }));
			const onError = 'continueRegularOutput' as const;
			const runs = [1, 2].map(() => ({ ...run, onError }));
			let creations = 0;
			const { results } = await runAllOffline(runs, (request) => {
				const reply = service.answer(request);
				const isLost = request.method === 'POST' && creations++ < 2;
				return isLost ? { lost: 'ECONNRESET', message: 'lost' } : reply;
			});
			const found = field === 'domain' ? 'unchanged' : 'found';
			const [first, second] = results.map(({ output }) => output.map(({ json }) => json));
			expect(first).toMatchObject(items.map(() => ({ details: { maybeDone: true } })));
			expect(second.map(({ outcome }) => outcome)).toEqual([found, found]);
			expect(service.works).toHaveLength(2);
		}
	});
});
