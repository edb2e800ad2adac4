import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { generated, withinMs } from '../../generated.mts';
import { requestLimits } from '../../groups.mts';
import type { RunResult } from '../engine.mts';
import { runAllOffline } from '../offline.mts';
import type { Drawn } from './drawing.mts';
import { FakeService } from './fakeService.mts';
import { anyField, lookingFor, spelled } from './lookups.mts';

/*
 * Executions, and the parallel calls of an agent, look at the same moment. Each finds nobody, because nobody is there yet,
 * or because the search and the list lag behind.
 */

const longLagMs = 3_600_000;
const lost = { lost: 'ECONNRESET', message: 'lost' };

const items = fc.array(spelled, { minLength: 1, maxLength: 4 });

const parallel = fc.record({
	field: anyField,
	lookup: fc.constantFrom('auto', 'list', 'search'),
	asTool: fc.boolean(),
	searchLagMs: fc.constantFrom(0, 1_500, longLagMs),
	listLagMs: fc.constantFrom(0, 1_500, longLagMs),
	/** The items of each execution. */
	executions: fc.array(items, { minLength: 2, maxLength: 4 }),
	/** Of the first attempts to create somebody: each is lost, before or after the work. */
	losses: fc.array(fc.constantFrom('before', 'after'), { maxLength: 3 }),
});
type Parallel = Drawn<typeof parallel>;

/** For each value, the ID and outcome of each of its items. */
function groupByValue(executions: Parallel['executions'], results: RunResult[]) {
	const came = executions.flatMap((items, execution) =>
		items.map(({ value }, item) => {
			const { personId, accountId, outcome } = results[execution].output[item].json;
			return { value, id: personId ?? accountId, outcome };
		}),
	);
	return [...Map.groupBy(came, ({ value }) => value).values()];
}

async function judge({ executions, losses, field, asTool, ...given }: Parallel): Promise<void> {
	// What was lost is looked for, so the service must show it in time, and no search is trusted that may miss it.
	const isLossy = losses.length > 0;
	const lookup = isLossy && given.lookup === 'search' ? 'auto' : given.lookup;
	const [searchLagMs, listLagMs] = [given.searchLagMs, given.listLagMs].map((ms) =>
		Math.min(ms, isLossy ? 1_500 : longLagMs),
	);
	const service = new FakeService({ searchLagMs, listLagMs, existingAccount: 'duplicate' });
	const left = [...losses];
	const { results } = await runAllOffline(
		executions.map((items) => ({
			...{ asTool, credential: { apiKey: service.apiKey } },
			...lookingFor({ field, lookup }, items),
		})),
		(request) => {
			const loss = request.method === 'POST' ? left.shift() : undefined;
			const reply = loss === 'before' ? lost : service.answer(request);
			return loss ? lost : reply;
		},
	);
	for (const { error } of results) expect(error).toBeUndefined();
	const groups = groupByValue(executions, results);
	for (const came of groups) {
		const ids = new Set(came.map(({ id }) => id));
		expect(ids.size).toBe(1);
		expect(ids).not.toContain(undefined);
		expect(came.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
	}
	expect(service.works).toHaveLength(groups.length);
}

const settings = generated(60, 0.1);

test(
	'executions and calls at the same moment create nobody twice',
	async () => await fc.assert(fc.asyncProperty(parallel, judge), settings),
	withinMs(settings),
);

describe.each(['email', 'domain'] as const)('at the same moment, by %s', (field) => {
	const two = [0, 1].map((value) => ({ value, spelling: 0 }));
	const open = (searchLagMs: number, options: INodeParameters = {}) => {
		const service = new FakeService({ searchLagMs, existingAccount: 'duplicate' });
		const { apiKey } = service;
		const run = {
			credential: { apiKey },
			...lookingFor({ field, lookup: 'search' }, two, options),
		};
		return { service, run };
	};
	const outcomesOf = ({ output }: RunResult) => output.map(({ json }) => json.outcome);

	test('another API key, or a later run, does not know what was created', async () => {
		const { service, run } = open(longLagMs);
		const answer = service.answer.bind(service);
		const other = { ...run, credential: { apiKey: `other ${service.apiKey}` } };
		const { results } = await runAllOffline([run, other], answer);
		for (const collection of [service.store.persons, service.store.accounts]) collection.clear();
		const later = await runAllOffline([run], answer);
		for (const result of [...results, ...later.results])
			expect(outcomesOf(result)).toEqual(['created', 'created']);
	});

	test('what one leaves in doubt, the next one waits for', async () => {
		const { service, run } = open(1_500, requestLimits({ maxRetries: 0 }));
		const runs = [1, 2].map(() => ({ ...run, onError: 'continueRegularOutput' as const }));
		let creations = 0;
		const { results } = await runAllOffline(runs, (request) => {
			const reply = service.answer(request);
			return request.method === 'POST' && creations++ < 2 ? lost : reply;
		});
		const [first, second] = results;
		const inDoubt = { details: { maybeDone: true } };
		expect(first.output.map(({ json }) => json)).toMatchObject([inDoubt, inDoubt]);
		const found = field === 'domain' ? 'unchanged' : 'found';
		expect(outcomesOf(second)).toEqual([found, found]);
		expect(service.works).toHaveLength(2);
	});
});
