import fc from 'fast-check';
import { type IDataObject, sleep } from 'n8n-workflow';
import { events } from '../../../nodes/PageAudiencePollingTrigger/events.ts';
import { generated, withinMs } from '../../generated.mts';
import { runOnFakeClock, startOfTime } from '../clock.mts';
import type { Reply } from '../fakeNetwork.mts';
import { engines, hourMs, idOf, minuteMs, morePages, PollingSetup } from './pollingSetup.mts';
import { type Content, type Edge, type Fact, firstPage, foreignKey } from './service.mts';
import { existingRecords } from '../../groups.mts';

/*
 * Random histories of a polled list: records appear, late or not, change and are computed anew, while polls fail, hang and
 * are killed, and people publish other settings. Read them in this order:
 *
 * - `service.mts`: the model of the service. A record is a fact: from when on lists show it, and how it looks from when on.
 * - `plans`, below: all that a history depends on, and how it is drawn. `happenings` are what its steps may do.
 * - `PollingHistory.run`: publishes, takes the steps, and ends with polls that nothing disturbs.
 * - `PollingHistory.check`: the rules, by the kind of event: each record once, each submission once, each change with its
 *   fields. Each says the fewest and the most executions that a fact may have started.
 * - `polledWorkflow.mts` and `pollingSetup.mts`: how n8n polls, in its three ways. All other tests of the trigger use
 *   these too.
 *
 * What to do when one fails stands in test/generated.mts. `PROPERTY_RUNS=10000 npm test -- engine/polling/histories` runs
 * ten thousand histories.
 */

const settings = generated(100);
jest.setTimeout(withinMs(settings));

/** The least Look Back in a history. Nothing appears or changes later than this after its start. */
const leastLookBackHours = 2;
const mostLateMinutes = 115;

const ofFirstPage = new RegExp(`/pages/${firstPage}/`);

type Happening = (history: PollingHistory) => Promise<unknown> | void;

/** A poll while the service is like this. */
const pollAfter =
	(disturb: (history: PollingHistory) => unknown): Happening =>
	async (history) => {
		disturb(history);
		await history.workflow.tick();
	};

/** What may happen at a poll, or around it. */
const happenings: Record<string, Happening> = {
	'poll three times at once': async ({ workflow }) =>
		await Promise.all([workflow.tick(), workflow.tick(), workflow.tick()]),
	'poll twice from one state': async ({ workflow }) => await workflow.tickFromOneState(),
	'fail on the second page': pollAfter((history) => history.failAfter(1)),
	'fail throughout': pollAfter((history) => history.failAfter(0)),
	'fail on one page': pollAfter((history) =>
		history.respond({ status: 404, body: 'no' }, ofFirstPage),
	),
	'hang on one page': pollAfter((history) => history.respondAfter(20 * minuteMs, ofFirstPage)),
	'lose every third response': async (history) =>
		await history.disturb({ lost: 'ECONNRESET', message: 'lost' }),
	'limit the rate': async (history) =>
		await history.disturb({ status: 429, headers: { 'retry-after': '2' }, body: '' }),
	'respond slowly': pollAfter((history) => history.slowDown()),
	'respond slowly and forget': pollAfter((history) => {
		history.service.forgetListings();
		history.slowDown();
	}),
	'rotate the key and respond slowly': pollAfter((history) => {
		history.workflow.credential.apiKey += '+';
		history.slowDown();
	}),
	kill: async (history) => await history.kill('kill'),
	'kill in a poll': async (history) => await history.kill('killInPoll'),
	'drop what a poll returns': pollAfter(({ workflow }) => (workflow.dropsNext = true)),
	'publish again': async ({ workflow }) => {
		workflow.deactivate();
		await sleep(hourMs);
		await workflow.activate();
	},
	'look back longer': (history) => history.setOptions({ lookBackHours: 24 }),
	'look back shorter': (history) => history.setOptions({ lookBackHours: leastLookBackHours }),
	'rotate the key': async (history) => {
		history.workflow.credential.apiKey += '+';
		await history.pollWell();
	},
	'use the key of another tenant': async (history) => await history.useForeignKey(),
	'put another page first': async (history) => {
		history.pages = [...history.pages.slice(1), ...history.pages.slice(0, 1)];
		await history.publishAgain();
	},
	'add or remove a page': async (history) => await history.toggleGuest(),
	'choose other fields': async (history) => await history.chooseFields(),
	poll: async (history) => await history.pollWell(),
};
/** A page that is read only at times. */
const guestPage = 'page_guest';
/** How a session goes on: it only changes, gets a form ID without any other change, or another submission. */
type Change = 'more' | 'named' | 'submitted';
const expired: Reply[] = [
	...[400, 401, 403, 404, 409, 410, 422, 500].map((status) => ({ status, body: 'no' })),
	{ status: 200, body: { items: [], hasMore: false } },
];
const step = fc.record({
	waitMinutes: fc.oneof(
		{ weight: 8, arbitrary: fc.integer({ min: 1, max: 90 }) },
		{ weight: 1, arbitrary: fc.constant(7 * 24 * 60) },
	),
	happening: fc.oneof(fc.constant('poll'), fc.constantFrom(...Object.keys(happenings))),
});
const plans = fc.record({
	event: fc.constantFrom(...Object.keys(events)),
	engine: fc.constantFrom(...engines),
	start: fc.constantFrom('now', 'all'),
	/** How many pages are read throughout, for events of sessions. */
	pages: fc.integer({ min: 1, max: 3 }),
	/** The choices of Fields to Watch, the first one at publishing, for events that tell changes. */
	choices: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
	edge: fc.constantFrom<Edge>('included', 'excluded', 'whole days'),
	isShuffled: fc.boolean(),
	hidden: fc.constantFrom(0, 7),
	includeInteractions: fc.boolean(),
	addAnswers: fc.boolean(),
	/** How old a response may be. */
	lagSeconds: fc.constantFrom(0, 5),
	isSlowAtPublishing: fc.boolean(),
	/** What the service responds to a position that it has forgotten. */
	expired: fc.constantFrom(...expired),
	facts: fc.array(
		fc.record({
			atMinutes: fc.integer({ min: -300, max: 1_200 }),
			// Beside the moments at which polls happen.
			afterSeconds: fc.constantFrom(-4.5, -1.5, 0.5, 1.5, 17),
			/** Which page it belongs to. */
			place: fc.nat(5),
			lateMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: mostLateMinutes })),
			changes: fc.array(
				fc.record({
					afterMinutes: fc.integer({ min: 0, max: mostLateMinutes }),
					change: fc.constantFrom<Change>('more', 'named', 'submitted'),
				}),
				{ maxLength: 3 },
			),
			form: fc.constantFrom(null, '', 'form 0'),
		}),
		{ maxLength: 60, size: 'max' },
	),
	/** Records from long ago, and when the service computes them anew. */
	recomputed: fc.array(fc.array(fc.integer({ min: 0, max: 1_200 }), { maxLength: 3 }), {
		maxLength: 15,
	}),
	steps: fc.array(step, { maxLength: 25, size: 'max' }),
});
type HistoryPlan = typeof plans extends fc.Arbitrary<infer H> ? H : never;

/** The fields of a record that change, of which some may be chosen. */
const changing: Record<string, string[] | undefined> = {
	changedSession: ['formSubmissionEmail', 'formSubmissionId', 'hasFormSubmit'],
	changedPerson: ['name', 'slug'],
};

/** @returns none, or one or more of the fields */
const choose = (event: string, choice: number) =>
	(changing[event] ?? []).filter((_, n) => choice === 3 || choice - 1 === n);

/** Contents alternate, so that a record may change back. A visitor who submits again takes time, which nothing takes back. */
function toFact(
	{ atMinutes, afterSeconds, place, lateMinutes, changes, form }: HistoryPlan['facts'][number],
	number: number,
	pages: string[],
): Fact {
	const startedAt = startOfTime + atMinutes * minuteMs + afterSeconds * 1_000;
	const contents: Content[] = [{ from: -Infinity, content: 'a', form }];
	const ordered = [...changes].sort((a, b) => a.afterMinutes - b.afterMinutes);
	for (const [n, { afterMinutes, change }] of ordered.entries()) {
		const before = contents[n];
		const isNamed = change === 'named' && before.form === '';
		const other = before.content === 'a' ? 'b' : 'a';
		const content = isNamed ? before.content : `${n + 1}`;
		contents.push({
			from: startedAt + afterMinutes * minuteMs,
			content: change === 'more' ? other : content,
			form: isNamed || change === 'submitted' ? `form ${n + 1}` : before.form,
		});
	}
	return {
		id: `record ${number}`,
		page: pages[place % pages.length],
		startedAt,
		appearsAt: startedAt + lateMinutes * minuteMs,
		contents,
	};
}

/** Far older than anything that a poll asks for. */
function toOldFact(id: string, recomputedAt: number[] = []): Fact {
	const startedAt = startOfTime - 40 * 24 * hourMs;
	const contents = [{ from: -Infinity, content: 'a', form: 'form 0' }];
	return { id, startedAt, appearsAt: startedAt, contents, recomputedAt };
}

class PollingHistory extends PollingSetup {
	readonly isOfPage: boolean;
	/** In their order in the panel. */
	pages: string[];
	readonly #plan: HistoryPlan;
	readonly #lagMs: number;
	/** Polls without a failure since the first one that could be complete. */
	#completed = 0;
	#wasForeign = false;
	/** When the page was added that is read only at times, by the clock of the service. */
	readonly #guestSince: number[] = [];
	#fields: string[];
	/** How many other choices of fields there were. */
	#chosen = 0;
	/** Whether the same fields were chosen throughout. */
	#isOneChoice = true;

	constructor(plan: HistoryPlan) {
		const { event, engine, includeInteractions, addAnswers } = plan;
		const isOfPage = /session|submission/i.test(event);
		const pages = Array.from({ length: isOfPage ? plan.pages : 1 }, (_, n) => `page_${n + 1}`);
		const [pageId, ...others] = pages;
		const onlyFields = choose(event, plan.choices[0]);
		const ofSessions = { lookBackHours: leastLookBackHours, includeInteractions };
		const ofStart = plan.start === 'all' ? existingRecords() : {};
		const options = { ...ofStart, onlyFields, ...ofSessions, ...morePages(...others) };
		super({ engine, event, pageId, addAnswers, simplify: false, options });
		this.isOfPage = isOfPage;
		this.pages = pages;
		this.#plan = plan;
		this.#lagMs = plan.lagSeconds * 1_000;
		this.#fields = onlyFields;
		this.#fill(plan);
		const wasEmpty = this.service.facts.every(({ appearsAt }) => appearsAt > startOfTime);
		this.workflow.onLog = (line) => {
			// Before anybody is listed, nothing tells whose a key is, so that the next one starts over.
			const isNobodyListed = wasEmpty && this.workflow.items.length === 0;
			if (line.includes('reads other data') && isNobodyListed) this.#takeStock();
		};
	}

	/** With another key, what has appeared by now is noted like what existed before the first poll. */
	#takeStock(): void {
		this.#wasForeign = true;
		this.service.firstListed.set(firstPage, Date.now());
	}

	#fill({ facts, recomputed, expired, edge, isShuffled, hidden }: HistoryPlan): void {
		const { service } = this;
		const places = this.isOfPage ? [...this.pages, guestPage] : this.pages;
		const toMoment = (minutes: number) => startOfTime + minutes * minuteMs;
		service.facts = [
			...facts.map((fact, number) => toFact(fact, number, places)),
			...recomputed.map((all, number) => toOldFact(`old ${number}`, all.map(toMoment))),
		];
		service.foreign!.facts = ['foreign 1', 'foreign 2'].map((id) => toOldFact(id));
		service.lagMs = () => Math.random() * this.#lagMs;
		Object.assign(service, { expired, edge, isShuffled, hidden });
	}

	async publishAgain(): Promise<void> {
		const { workflow } = this;
		const [pageId, ...others] = this.pages;
		workflow.deactivate();
		this.setOptions({ ...morePages(...others), onlyFields: this.#fields });
		workflow.parameters.pageId = pageId;
		await workflow.activate();
		// So that n8n has stored what is known of a page that was added.
		await sleep(minuteMs);
		await this.pollWell();
	}

	/** When the records of its page were first listed, for sure. */
	#firstListed({ page = firstPage }: Fact): number {
		return this.service.firstListed.get(page) ?? Infinity;
	}

	async run(): Promise<void> {
		if (this.#plan.isSlowAtPublishing) this.respondAfter(6_000 / this.pages.length);
		await this.workflow.activate();
		this.recover();
		for (const { waitMinutes, happening } of this.#plan.steps) {
			await sleep(waitMinutes * minuteMs);
			await happenings[happening](this);
			this.recover();
		}
		this.setOptions({ lookBackHours: leastLookBackHours });
		await this.poll(3);
		this.add('last', { form: 'form 0' });
		await this.poll(3);
	}

	async toggleGuest(): Promise<void> {
		if (!this.isOfPage) return await this.pollWell();
		const others = this.pages.filter((page) => page !== guestPage);
		const isRead = others.length < this.pages.length;
		this.pages = isRead ? others : [...others, guestPage];
		if (!isRead) {
			this.service.firstListed.delete(guestPage);
			this.#guestSince.push(Date.now());
		}
		await this.publishAgain();
	}

	async chooseFields(): Promise<void> {
		const fields = choose(this.#plan.event, this.#plan.choices[++this.#chosen] ?? 0);
		this.#isOneChoice &&= fields.join() === this.#fields.join();
		this.#fields = fields;
		await this.publishAgain();
	}

	/** Polls before and after are whole, so that the states are those of the two tenants. */
	async useForeignKey(): Promise<void> {
		const { credential } = this.workflow;
		const { apiKey: own } = credential;
		for (const key of [own, foreignKey, own]) {
			credential.apiKey = key;
			await this.poll();
		}
		if (!this.isOfPage) this.#takeStock();
	}

	async pollWell(): Promise<void> {
		await this.workflow.tick();
		this.#completed++;
	}

	failAfter(count: number): void {
		const end = this.service.requests + count;
		this.service.onRequest = () =>
			this.service.requests > end ? { status: 503, body: 'no' } : undefined;
	}

	/** What the poll itself copes with. */
	async disturb(reply: Reply): Promise<void> {
		let requests = 0;
		this.service.onRequest = () => (++requests % 3 === 0 ? reply : undefined);
		await this.pollWell();
	}

	slowDown(): void {
		const ms = this.workflow.engine === 'memory' ? 2 * minuteMs : 15_000;
		this.respondAfter(ms / this.pages.length);
	}

	/** With durable cursors, n8n does not store the snapshot of the poll at publishing. */
	async kill(how: 'kill' | 'killInPoll'): Promise<void> {
		const isSnapshotSafe = this.workflow.engine !== 'durable' || this.#completed > 0;
		await (isSnapshotSafe ? this.workflow[how]() : this.pollWell());
	}

	check(): void {
		const { event, includeInteractions, addAnswers } = this.#plan;
		const { items } = this.workflow;
		const emitted = Map.groupBy(items, (item) => String(idOf(item)));
		for (const { interactions, answers } of this.isOfPage ? items : []) {
			if (includeInteractions) expect(interactions).toBeDefined();
			if (addAnswers) expect(answers).toBeDefined();
		}
		expect([...emitted.keys()].filter((id) => id.startsWith('foreign'))).toEqual([]);
		// It appeared when everything was well again.
		expect(emitted.get('last')).toHaveLength(1);
		for (const fact of this.service.facts) {
			const found = emitted.get(fact.id) ?? [];
			if (fact.page === guestPage && event !== 'newSession') continue;
			if (event === 'formSubmission') this.#checkForms(fact, found);
			else if (event.startsWith('changed')) this.#checkChanges(fact, found);
			else this.#checkOnce(fact, found.length);
		}
	}

	/** Of what happens during the snapshot, only its own date tells. */
	#checkOnce(fact: Fact, found: number): void {
		const { start, event } = this.#plan;
		// A page by offset may be older than the page before, so that the first list misses a record between them.
		const maySlip = event === 'accountActivity' && this.#lagMs > 0;
		const { id, appearsAt, startedAt, page } = fact;
		const isGuest = page === guestPage;
		const now = Date.now();
		const since = isGuest ? (this.#guestSince.at(-1) ?? Infinity) : startOfTime;
		const isLater = appearsAt > this.#firstListed(fact);
		const isStock = this.#wasForeign && !isLater;
		const isOld = start === 'now' && appearsAt <= since - this.#lagMs && !maySlip;
		const isSure = start === 'all' || isLater || startedAt >= since;
		const isDue = isSure && !isOld && !isStock && appearsAt <= now - this.#lagMs;
		const isRead = !isGuest || this.pages.includes(guestPage);
		// A page that is added again has been forgotten, and may have been read when the record appeared.
		const times = isGuest ? this.#guestSince.length : 1;
		const mayCome = appearsAt <= now && (!isOld || times > 1);
		const most = start === 'all' ? times : Math.min(1, times);
		const what = `${id} of ${page}: ${found}`;
		rule(what, found >= (isDue && isRead ? 1 : 0) && found <= (mayCome ? most : 0));
	}

	/** Every submission once. One without an ID is the same as the one that then has an ID. */
	#checkForms(fact: Fact, found: IDataObject[]): void {
		const { start } = this.#plan;
		const { id, appearsAt, contents } = fact;
		const forms = found.map(({ formSubmissionId }) => String(formSubmissionId));
		const what = `${id}: ${forms.join(', ')}`;
		rule(what, forms.length === new Set(forms).size);
		const now = Date.now();
		const firstListedAt = this.#firstListed(fact);
		const [first, second, ...later] = contents;
		if (first.form === '' && second && second.form !== '' && later.length === 0)
			rule(what, !(forms.includes('') && forms.includes(String(second.form))));
		const begins = (form?: string | null) =>
			Math.max(appearsAt, contents.find((each) => each.form === form)?.from ?? Infinity);
		for (const form of forms) {
			rule(what, begins(form) <= now);
			if (start === 'all') continue;
			const next = contents.find(({ from }, n) => from > begins(form) && contents[n].form !== form);
			const ends = next?.from ?? Infinity;
			// It was there, and stayed there, when the snapshot was taken.
			const wasThere = begins(form) <= startOfTime - this.#lagMs && ends > startOfTime;
			rule(what, !wasThere || ends <= firstListedAt);
		}
		const { form } = this.service.look(fact, now);
		const at = contents.findIndex((each) => each.form === form);
		// Its ID may belong to one that was noted without an ID.
		const hadNoId = contents.slice(0, at).some((each) => each.form === '');
		const isDue =
			begins(hadNoId ? '' : form) > firstListedAt || (start === 'all' && !this.#wasForeign);
		const isSeen = begins(form) <= now - this.#lagMs;
		if (typeof form !== 'string' || !isSeen || !isDue) return;
		rule(what, forms.includes(form) || forms.includes(''));
	}

	/** Never the same twice in a row, and the last one is as the record is now, as far as the fields count. */
	#checkChanges(fact: Fact, items: IDataObject[]): void {
		const { start, event } = this.#plan;
		const { appearsAt, contents } = fact;
		const now = Date.now();
		const fields = this.#fields.length > 0 ? this.#fields : (changing[event] ?? []);
		const pick = (item: IDataObject) => JSON.stringify(fields.map((field) => item[field]));
		const shown = items.map(pick);
		const what = `${fact.id}: ${shown.join(', ')}`;
		const before = startOfTime - this.#lagMs;
		const changed = contents.map(({ from }) => from).filter((at) => at > before && at <= now);
		const isOld = start === 'now' && appearsAt <= before && changed.length === 0;
		if (appearsAt > now || isOld) return rule(what, items.length === 0);
		// The stock of another tenant hides changes from before it, and another choice those of other fields.
		if (this.#wasForeign || !this.#isOneChoice) return;
		rule(what, !shown.some((each, n) => each === shown[n - 1]));
		this.#checkChangedFields(fact, items);
		const isDue = start === 'all' || appearsAt > this.#firstListed(fact) || items.length > 0;
		const isSettled = Math.max(appearsAt, ...changed) <= now - this.#lagMs;
		const final = pick(this.service.write(event === 'changedPerson' ? '/persons' : '', fact));
		if (isDue && isSettled) expect([what, shown.at(-1)]).toEqual([what, final]);
	}

	/** They are those that differ from the item before. */
	#checkChangedFields({ id }: Fact, items: IDataObject[]): void {
		const what = `${id}: ${JSON.stringify(items)}`;
		if (this.#fields.length === 0)
			return rule(what, !items.some((item) => 'changedFields' in item));
		for (const [n, item] of items.entries()) {
			const { changedFields } = item;
			// What was there at the start has an item only with its first change.
			if (changedFields === undefined || (n === 0 && this.#plan.start !== 'all')) continue;
			const isOther = (field: string) => item[field] !== items[n - 1][field];
			const expected = n === 0 ? null : this.#fields.filter(isOther);
			expect([what, changedFields]).toEqual([what, expected]);
		}
	}
}

/** @param what a record, and what came of it */
function rule(what: string, isKept: boolean): void {
	expect([what, isKept]).toEqual([what, true]);
}

test('every record starts the workflow exactly once, whatever happens', async () => {
	const scene = fc.asyncProperty(plans, async (plan) => {
		const history = new PollingHistory(plan);
		const work = async () => {
			await history.run();
			history.check();
		};
		await runOnFakeClock(work, { mostMs: 400 * 24 * hourMs }).finally(() =>
			history.network.close(),
		);
	});
	await fc.assert(scene, settings);
});
