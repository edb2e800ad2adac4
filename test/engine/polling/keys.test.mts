import { type INodeParameters, type NodeOperationError, sleep } from 'n8n-workflow';
import { runOnFakeClock, startOfTime } from '../clock.mts';
import { Wire } from '../wire.mts';
import { type Engine, PolledWorkflow } from './polledWorkflow.mts';
import { type Fact, PolledService } from './service.mts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const ownKey = 'the own key';
const newKey = 'a new key';
const foreignKey = 'the key of another tenant';
const secret = 'pk_live_0123456789abcdef';

/** Two tenants of one service, and the workflow of one of them. */
class Tenants {
	readonly own = new PolledService();
	readonly foreign = new PolledService();
	readonly workflow: PolledWorkflow;
	readonly #wire = new Wire();

	constructor(parameters: INodeParameters, engine: Engine = 'memory') {
		this.workflow = new PolledWorkflow({
			engine,
			credential: { baseUrl: 'https://api.example', apiKey: ownKey },
			parameters: { pageId: 'page_1', simplify: false, options: {}, ...parameters },
		});
		this.#wire.answerBy(async (request) => {
			const isForeign = request.headers['x-api-key'] === foreignKey;
			return await (isForeign ? this.foreign : this.own).answer(request);
		});
	}

	async play(work: () => Promise<void>): Promise<void> {
		try {
			await runOnFakeClock(work, { mostMs: 30 * 24 * hourMs });
		} finally {
			this.#wire.close();
		}
	}

	async pollWith(apiKey: string, after = minuteMs): Promise<void> {
		this.workflow.credential.apiKey = apiKey;
		await sleep(after);
		await this.workflow.tick();
	}

	/** Polls that end after one page, and then some for which there is time. */
	async pollSlowly(apiKey: string): Promise<void> {
		const responseMs = this.workflow.engine === 'memory' ? 200_000 : 20_000;
		const setPace = (ms: number) => {
			for (const service of [this.own, this.foreign])
				service.onRequest = async () => (await sleep(ms), undefined);
		};
		setPace(responseMs);
		for (let polls = 0; polls < 12; polls++) await this.pollWith(apiKey, 6 * minuteMs);
		setPace(0);
		for (let polls = 0; polls < 3; polls++) await this.pollWith(apiKey);
	}

	get ids(): unknown[] {
		return this.workflow.items.map(
			({ personId, audienceSessionId, activityId }) => personId ?? audienceSessionId ?? activityId,
		);
	}
}

/** Records of a tenant, in the service from the moments on at which they begin. */
const facts = (tenant: string, ...startedAt: number[]): Fact[] =>
	startedAt.map((at, number) => ({
		id: `${tenant} ${number}`,
		startedAt: at,
		appearsAt: at,
		contents: [{ from: -Infinity, content: tenant }],
	}));

const past = (count: number) =>
	Array.from({ length: count }, (_, number) => startOfTime - (number + 1) * minuteMs);

describe('the key of another tenant', () => {
	it.each([
		['newPerson', 'now'],
		['changedPerson', 'now'],
		['newPerson', 'all'],
	])('starts nothing, and the log says so (%s, Start From %s)', async (event, startFrom) => {
		const tenants = new Tenants({ event, options: { startFrom } });
		const { workflow } = tenants;
		tenants.own.facts = facts('own', ...past(5));
		tenants.foreign.facts = facts('foreign', ...past(30), startOfTime + 90 * minuteMs);
		await tenants.play(async () => {
			await workflow.activate();
			const before = tenants.ids;
			expect(before).toHaveLength(startFrom === 'all' ? 5 : 0);
			for (let polls = 0; polls < 3; polls++) await tenants.pollWith(foreignKey);
			expect(tenants.ids).toEqual(before);
			await tenants.pollWith(foreignKey, 2 * hourMs);
			expect(tenants.ids).toEqual([...before, 'foreign 30']);
		});
		expect(workflow.log).toEqual([
			"Page Audience Polling Trigger: The new API key reads other data: the trigger starts over, and existing records don't start the workflow.",
		]);
		expect(workflow.logged).toEqual([{ workflowId: expect.any(String), node: workflow.name }]);
		expect(workflow.failures).toEqual([]);
		expect(JSON.stringify(workflow.staticData)).not.toContain(foreignKey);
	});

	it('takes stock over several polls', async () => {
		const tenants = new Tenants({ event: 'newPerson', options: { startFrom: 'all' } }, 'durable');
		const { workflow, foreign } = tenants;
		tenants.own.facts = facts('own', ...past(5));
		foreign.facts = facts('foreign', ...past(60));
		await tenants.play(async () => {
			await workflow.activate();
			await tenants.pollWith(ownKey);
			// The first reading finds out whose key it is.
			const slowFrom = foreign.requests + 8;
			foreign.onRequest = async () => {
				if (foreign.requests > slowFrom) await sleep(15_000);
				return undefined;
			};
			for (let polls = 0; polls < 6; polls++) await tenants.pollWith(foreignKey);
		});
		expect(tenants.ids).toEqual(['own 4', 'own 3', 'own 2', 'own 1', 'own 0']);
	});

	it.each(['memory', 'scheduler', 'durable'] as const)(
		'is recognized over several polls (%s)',
		async (engine) => {
			const tenants = new Tenants({ event: 'newPerson', options: { startFrom: 'all' } }, engine);
			tenants.own.facts = facts('own', ...past(5));
			tenants.foreign.facts = facts('foreign', ...past(60), startOfTime + 24 * hourMs);
			await tenants.play(async () => {
				await tenants.workflow.activate();
				await tenants.pollWith(ownKey);
				await tenants.pollSlowly(foreignKey);
				expect(tenants.ids).toEqual(['own 4', 'own 3', 'own 2', 'own 1', 'own 0']);
				await tenants.pollWith(foreignKey, 24 * hourMs);
			});
			expect(tenants.ids.slice(5)).toEqual(['foreign 60']);
			expect(tenants.workflow.log).toEqual([expect.stringContaining('reads other data')]);
		},
	);

	it('cannot read the page of its own tenant, which goes on with the right key', async () => {
		const tenants = new Tenants({ event: 'newSession' });
		tenants.own.facts = facts('own', ...past(5), startOfTime + 90_000, startOfTime + 150_000);
		tenants.foreign.onRequest = async () => await Promise.resolve({ status: 404, body: 'no' });
		await tenants.play(async () => {
			await tenants.workflow.activate();
			for (const key of [foreignKey, foreignKey, ownKey, ownKey]) await tenants.pollWith(key);
		});
		expect(tenants.workflow.failures).toMatchObject([
			{ message: 'Page "page_1" was not found (404)' },
		]);
		expect(tenants.ids).toEqual(['own 5', 'own 6']);
	});

	it('after an empty list, starts what was created since, and nothing else', async () => {
		const tenants = new Tenants({ event: 'changedPerson' });
		const days = past(30).map((at) => at - 48 * hourMs);
		tenants.foreign.facts = facts('foreign', ...days, startOfTime + 90_000);
		await tenants.play(async () => {
			await tenants.workflow.activate();
			await tenants.pollWith(ownKey);
			await tenants.pollWith(foreignKey);
			await tenants.pollWith(foreignKey);
		});
		expect(tenants.ids).toEqual(['foreign 30']);
	});
});

describe('a new key of the same tenant', () => {
	it.each(['memory', 'scheduler', 'durable'] as const)(
		'loses nothing and repeats nothing (%s)',
		async (engine) => {
			const tenants = new Tenants({ event: 'newPerson' }, engine);
			tenants.own.facts = facts('own', ...past(30), startOfTime + 90_000, startOfTime + 200_000);
			tenants.own.isShuffled = true;
			await tenants.play(async () => {
				await tenants.workflow.activate();
				await tenants.pollWith(ownKey);
				await tenants.pollWith(newKey);
				await tenants.workflow.kill();
				await tenants.pollWith(newKey);
				await tenants.pollWith(newKey);
			});
			expect(tenants.ids).toEqual(['own 30', 'own 31']);
			expect(tenants.workflow.log).toEqual([]);
		},
	);

	it.each([
		['scheduler', 'newPerson', 12],
		['scheduler', 'newPerson', 25],
		['durable', 'newPerson', 12],
		['memory', 'newPerson', 12],
		['memory', 'changedPerson', 12],
		['memory', 'accountActivity', 12],
		['scheduler', 'accountActivity', 12],
	] as const)(
		'loses nothing where polls end before a known record (%s, %s, %i new ones)',
		async (engine, event, count) => {
			const accountId = `account_${'a'.repeat(26)}`;
			const tenants = new Tenants({ event, accountId }, engine);
			const { own, workflow } = tenants;
			own.facts = facts('own', ...past(80));
			await tenants.play(async () => {
				await workflow.activate();
				await tenants.pollWith(ownKey);
				const added = facts('new', ...Array.from({ length: count }, () => own.now));
				own.facts.unshift(...added);
				await tenants.pollSlowly(newKey);
				expect(tenants.ids.sort()).toEqual(added.map(({ id }) => id).sort());
			});
			expect([workflow.failures, workflow.log]).toEqual([[], []]);
		},
	);

	it('notes the rest of what exists after polls without a known record', async () => {
		const tenants = new Tenants({ event: 'newPerson' }, 'scheduler');
		const { own, workflow } = tenants;
		own.facts = facts('own', ...past(25));
		await tenants.play(async () => {
			own.onRequest = async () => (await sleep(9_000), undefined);
			// One page is noted, and is the last one from then on.
			await workflow.activate();
			own.facts.push(...own.facts.splice(0, 10));
			await tenants.pollSlowly(newKey);
		});
		expect([tenants.ids, workflow.failures, workflow.log]).toEqual([[], [], []]);
	});

	it('finds sessions that are known, although polls do not read so far back any more', async () => {
		const tenants = new Tenants({ event: 'newSession', options: { lookBackHours: 5 } });
		tenants.own.facts = facts('own', startOfTime - 4 * hourMs, startOfTime + 4.5 * hourMs);
		await tenants.play(async () => {
			await tenants.workflow.activate();
			await tenants.pollWith(ownKey, 4 * hourMs);
			await tenants.pollWith(newKey, hourMs);
		});
		expect(tenants.ids).toEqual(['own 1']);
		expect(tenants.workflow.log).toEqual([]);
	});

	it('goes on after a poll in which nothing could be read', async () => {
		const tenants = new Tenants({ event: 'newPerson' }, 'durable');
		const { own, workflow } = tenants;
		own.facts = facts('own', ...past(30), startOfTime + 90_000);
		await tenants.play(async () => {
			await workflow.activate();
			await tenants.pollWith(ownKey);
			own.onRequest = async () => (await sleep(40_000), undefined);
			await tenants.pollWith(newKey);
			own.onRequest = async () => await Promise.resolve(undefined);
			await tenants.pollWith(newKey);
		});
		expect(workflow.failures).toMatchObject([
			{ message: 'The service did not respond within the time of a poll' },
		]);
		expect(tenants.ids).toEqual(['own 30']);
	});
});

test.each([
	{ event: 'accountActivity', accountId: secret },
	{ event: 'newSession', options: { startFrom: 'date', startDate: secret } },
])('the API key stands in no message when it was pasted into a field (%j)', async (parameters) => {
	const { workflow } = new Tenants(parameters);
	workflow.credential.apiKey = ` ${secret}\n`;
	const failure = await workflow.activate().catch((error: unknown) => error as Error);
	expect(failure).toMatchObject({ message: expect.stringContaining('but is "***"') as string });
	const { message, stack } = failure as Error;
	const { description } = failure as NodeOperationError;
	expect(JSON.stringify([message, description, stack, workflow.log])).not.toContain(secret);
});

test('the API key stands in no line of the log when it is one of several pages', async () => {
	const page = { pageId: { __rl: true, mode: 'id', value: secret } };
	const options = { morePages: { page: [page] } };
	const tenants = new Tenants({ event: 'newSession', options });
	const { own, workflow } = tenants;
	workflow.credential.apiKey = secret;
	await tenants.play(async () => {
		await workflow.activate();
		own.onRequest = async ({ path }) =>
			await Promise.resolve(path.includes(secret) ? { status: 500, body: {} } : undefined);
		await tenants.pollWith(secret);
		await tenants.pollWith(secret);
	});
	expect(workflow.log.join()).toContain('The next poll retries');
	expect(workflow.log.join()).not.toContain(secret);
});
