import { type INodeParameters, sleep } from 'n8n-workflow';
import { runOnFakeClock, startOfTime } from '../properties/clock.mts';
import { Wire } from '../properties/wire.mts';
import { type Engine, PolledWorkflow } from './polledWorkflow.mts';
import { type Fact, PolledService } from './service.mts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const ownKey = 'the own key';
const newKey = 'a new key';
const foreignKey = 'the key of another tenant';

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

	get ids(): unknown[] {
		return this.workflow.items.map(
			({ personId, audienceSessionId }) => personId ?? audienceSessionId,
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
