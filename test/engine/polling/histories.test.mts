import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { generated, withinMs } from '../../generated.mts';
import { runOnFakeClock, startOfTime } from '../properties/clock.mts';
import { type Reply, Wire } from '../properties/wire.mts';
import { type Engine, PolledWorkflow } from './polledWorkflow.mts';
import { type Edge, type Fact, PolledService } from './service.mts';

/** `PROPERTY_RUNS=10000 npm run engine -- test/engine/polling/histories` plays ten thousand histories of polls. */
const settings = generated(150);
jest.setTimeout(withinMs(settings));

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const url = 'https://api.example';

/** The least Look Back in a history. Nothing appears or changes later than this after its start. */
const leastLookBackHours = 2;
const mostLateMinutes = 115;

type Act =
	| 'poll'
	| 'poll three times at once'
	| 'poll twice from one state'
	| 'fail on the second page'
	| 'fail throughout'
	| 'lose every third response'
	| 'limit the rate'
	| 'respond slowly'
	| 'respond slowly and forget'
	| 'kill'
	| 'kill in a poll'
	| 'drop what a poll returns'
	| 'publish again'
	| 'look back longer'
	| 'look back shorter';

interface Step {
	waitMinutes: number;
	act: Act;
}

interface History {
	event: string;
	engine: Engine;
	start: 'now' | 'all';
	edge: Edge;
	isShuffled: boolean;
	includeInteractions: boolean;
	facts: Array<{ atMinutes: number; lateMinutes: number; changes: number[]; isSubmitted: boolean }>;
	steps: Step[];
}

const acts: Act[] = [
	'poll three times at once',
	'poll twice from one state',
	'fail on the second page',
	'fail throughout',
	'lose every third response',
	'limit the rate',
	'respond slowly',
	'respond slowly and forget',
	'kill',
	'kill in a poll',
	'drop what a poll returns',
	'publish again',
	'look back longer',
	'look back shorter',
];
const step: fc.Arbitrary<Step> = fc.record({
	waitMinutes: fc.oneof(
		{ weight: 8, arbitrary: fc.integer({ min: 1, max: 90 }) },
		{ weight: 1, arbitrary: fc.constant(7 * 24 * 60) },
	),
	act: fc.oneof(
		{ weight: 1, arbitrary: fc.constant<Act>('poll') },
		{ weight: 1, arbitrary: fc.constantFrom(...acts) },
	),
});
const history: fc.Arbitrary<History> = fc.record({
	event: fc.constantFrom(
		'formSubmission',
		'newSession',
		'changedSession',
		'newPerson',
		'changedPerson',
		'accountActivity',
	),
	engine: fc.constantFrom<Engine>('memory', 'scheduler', 'durable'),
	start: fc.constantFrom('now', 'all'),
	edge: fc.constantFrom<Edge>('included', 'excluded', 'whole days'),
	isShuffled: fc.boolean(),
	includeInteractions: fc.boolean(),
	facts: fc.array(
		fc.record({
			atMinutes: fc.integer({ min: -300, max: 1_200 }),
			lateMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: mostLateMinutes })),
			changes: fc.array(fc.integer({ min: 0, max: mostLateMinutes }), { maxLength: 3 }),
			isSubmitted: fc.boolean(),
		}),
		{ maxLength: 60, size: 'max' },
	),
	steps: fc.array(step, { maxLength: 25, size: 'max' }),
});

/** Contents alternate, so that a record may change back. */
function toFact(
	{ atMinutes, lateMinutes, changes, isSubmitted }: History['facts'][number],
	number: number,
): Fact {
	// Beside the moments at which polls happen.
	const startedAt = startOfTime + atMinutes * minuteMs + 17_000;
	const moments = changes.map((after) => startedAt + after * minuteMs).sort((a, b) => a - b);
	return {
		id: `record ${number}`,
		startedAt,
		appearsAt: startedAt + lateMinutes * minuteMs,
		contents: [
			{ from: -Infinity, content: isSubmitted ? 'a' : '' },
			...moments.map((from, i) => ({ from, content: i % 2 === 0 ? 'b' : 'a' })),
		],
	};
}

class World {
	readonly service = new PolledService();
	readonly workflow: PolledWorkflow;
	readonly #wire = new Wire();
	readonly #hasInteractions: boolean;
	/** Polls without a failure since the first one that could be complete. */
	#completed = 0;

	constructor({ event, engine, start, edge, isShuffled, includeInteractions, facts }: History) {
		this.service.facts = facts.map(toFact);
		this.service.edge = edge;
		this.service.isShuffled = isShuffled;
		this.#hasInteractions = includeInteractions && /session|submission/i.test(event);
		this.workflow = new PolledWorkflow({
			engine,
			credential: { baseUrl: url, apiKey: 'the-api-key' },
			parameters: {
				event,
				pageId: 'page_1',
				accountId: `account_${'a'.repeat(26)}`,
				simplify: false,
				options: { startFrom: start, lookBackHours: leastLookBackHours, includeInteractions },
			},
		});
		this.#wire.answerBy(async (request) => await this.service.answer(request));
	}

	close(): void {
		this.#wire.close();
	}

	async play(steps: Step[]): Promise<void> {
		await this.workflow.activate();
		for (const { waitMinutes, act } of steps) {
			await sleep(waitMinutes * minuteMs);
			await this.#act(act);
			this.service.onRequest = async () => await Promise.resolve(undefined);
		}
		this.#lookBack(leastLookBackHours);
		for (let last = 0; last < 3; last++) {
			await sleep(minuteMs);
			await this.#poll();
		}
	}

	async #act(act: Act): Promise<void> {
		const { service, workflow } = this;
		switch (act) {
			case 'poll':
				return await this.#poll();
			case 'poll three times at once':
				await Promise.all([workflow.tick(), workflow.tick(), workflow.tick()]);
				return;
			case 'poll twice from one state':
				return await workflow.tickFromOneState();
			case 'fail on the second page':
				return await this.#fail(1);
			case 'fail throughout':
				return await this.#fail(0);
			case 'lose every third response':
				return await this.#disturb({ lost: 'ECONNRESET', message: 'lost' });
			case 'limit the rate':
				return await this.#disturb({ status: 429, headers: { 'retry-after': '2' }, body: '' });
			case 'respond slowly and forget':
			case 'respond slowly':
				if (act === 'respond slowly and forget') service.forgetListings();
				service.onRequest = async () => {
					await sleep(workflow.engine === 'memory' ? 2 * minuteMs : 15_000);
					return undefined;
				};
				return await workflow.tick();
			case 'kill':
				return this.#isSnapshotSafe() ? await workflow.kill() : await this.#poll();
			case 'kill in a poll':
				return this.#isSnapshotSafe() ? await workflow.killInPoll() : await this.#poll();
			case 'drop what a poll returns':
				workflow.dropsNext = true;
				return await workflow.tick();
			case 'publish again':
				workflow.deactivate();
				await sleep(hourMs);
				return await workflow.activate();
			case 'look back longer':
				return this.#lookBack(24);
			case 'look back shorter':
				return this.#lookBack(leastLookBackHours);
		}
	}

	async #poll(): Promise<void> {
		await this.workflow.tick();
		this.#completed++;
	}

	async #fail(after: number): Promise<void> {
		const end = this.service.requests + after;
		this.service.onRequest = async () =>
			await Promise.resolve(this.service.requests > end ? { status: 503, body: 'no' } : undefined);
		await this.workflow.tick();
	}

	/** What the poll itself copes with. */
	async #disturb(reply: Reply): Promise<void> {
		let requests = 0;
		this.service.onRequest = async () =>
			await Promise.resolve(++requests % 3 === 0 ? reply : undefined);
		await this.#poll();
	}

	/** With durable cursors, n8n does not store the snapshot of the poll at publishing. */
	#isSnapshotSafe(): boolean {
		return this.workflow.engine !== 'durable' || this.#completed > 0;
	}

	#lookBack(lookBackHours: number): void {
		const { parameters } = this.workflow;
		const options = { ...(parameters.options as object), lookBackHours };
		this.workflow.parameters = { ...parameters, options };
	}

	check({ event, start }: History): void {
		const { facts, firstListedAt = Infinity } = this.service;
		const emitted = new Map<string, string[]>();
		for (const item of this.workflow.items) {
			const id = String(item.audienceSessionId ?? item.personId ?? item.activityId);
			const content = String(item.formSubmissionEmail ?? item.name ?? item.type);
			emitted.set(id, [...(emitted.get(id) ?? []), content]);
		}
		if (this.#hasInteractions)
			expect(this.workflow.items.every(({ interactions }) => interactions !== undefined)).toBe(
				true,
			);
		const now = Date.now();
		for (const fact of facts) {
			const found = emitted.get(fact.id) ?? [];
			const what = `${fact.id}: ${found.join(', ')}`;
			if (event.startsWith('changed')) this.#checkChanges(fact, found, start);
			else if (fact.appearsAt > now) expect([what, found.length]).toEqual([what, 0]);
			else {
				const [least, most] = this.#expected(event, start, fact, firstListedAt);
				expect([what, found.length >= least && found.length <= most]).toEqual([what, true]);
			}
		}
	}

	/** How often a record has to be there. Of what happens during the snapshot, only its own date tells. */
	#expected(event: string, start: string, fact: Fact, firstListedAt: number): [number, number] {
		const isForm = event === 'formSubmission';
		const now = Date.now();
		const submittedAt = isForm
			? fact.contents.find(({ content }) => content !== '')?.from
			: fact.appearsAt;
		if (submittedAt === undefined || submittedAt > now) return [0, 0];
		const from = Math.max(fact.appearsAt, submittedAt);
		if (start === 'all') return [1, 1];
		if (from <= startOfTime) return [0, 0];
		return from > firstListedAt || (!isForm && fact.startedAt >= startOfTime) ? [1, 1] : [0, 1];
	}

	/** Never the same twice in a row, and the last one is as the record is now. */
	#checkChanges(fact: Fact, found: string[], start: string): void {
		const what = `${fact.id}: ${found.join(', ')}`;
		for (let i = 1; i < found.length; i++)
			expect([what, found[i] === found[i - 1]]).toEqual([what, false]);
		const now = Date.now();
		const { firstListedAt = Infinity } = this.service;
		const changes = fact.contents.filter(({ from }) => from > startOfTime && from <= now);
		const isOld = fact.appearsAt <= startOfTime && changes.length === 0;
		if (fact.appearsAt > now || (start === 'now' && isOld)) {
			expect([what, found.length]).toEqual([what, 0]);
			return;
		}
		const isNew = start === 'all' || fact.appearsAt > firstListedAt;
		const final = this.service.look(fact, now);
		if (isNew) expect([what, found.at(-1)]).toEqual([what, final]);
		else if (found.length > 0) expect([what, found.at(-1)]).toEqual([what, final]);
	}
}

test('every record starts the workflow exactly once, whatever happens', async () => {
	await fc.assert(
		fc.asyncProperty(history, async (past) => {
			const world = new World(past);
			try {
				await runOnFakeClock(
					async () => {
						await world.play(past.steps);
						world.check(past);
					},
					{
						mostMs: 400 * 24 * hourMs,
					},
				);
			} finally {
				world.close();
			}
		}),
		settings,
	);
});
