import { type IPollFunctions, sleep } from 'n8n-workflow';
import { joinFailures } from '../../../nodes/PageAudiencePollingTrigger/failures.ts';
import { Leases, readBudget } from '../../../nodes/PageAudiencePollingTrigger/memory/lease.ts';
import {
	type Failure,
	Notices,
	type NoticedList,
	type PollAttempt,
} from '../../../nodes/PageAudiencePollingTrigger/memory/notices.ts';
import { TriggerMemory } from '../../../nodes/PageAudiencePollingTrigger/memory/triggerMemory.ts';
import { Turns } from '../../../nodes/PageAudiencePollingTrigger/memory/turns.ts';
import { Deadline } from '../../../nodes/PageAudiencePollingTrigger/reading/deadline.ts';
import { noHistory } from '../../../nodes/PageAudiencePollingTrigger/state/history.ts';
import {
	HandOver,
	readState,
	writeState,
} from '../../../nodes/PageAudiencePollingTrigger/state/stored.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('the state that the process knows', () => {
	const write = (writtenAt: number) =>
		writeState({ scope: 'page 1' }, { ...noHistory, readAt: writtenAt }, writtenAt);
	const findIn = (handOver: HandOver, given: unknown) =>
		handOver.findState(readState(given, 'page 1'))?.writtenAt;

	it('is used in place of an older state that n8n hands out', () => {
		const handOver = new HandOver();
		expect(findIn(handOver, undefined)).toBeUndefined();
		expect(findIn(handOver, write(1))).toBe(1);
		handOver.note(write(3), false);
		expect(findIn(handOver, write(1))).toBe(3);
		expect(findIn(handOver, write(2))).toBe(3);
		expect(findIn(handOver, undefined)).toBe(3);
	});

	it('gives way to a later one', () => {
		const handOver = new HandOver();
		handOver.note(write(3), false);
		expect(findIn(handOver, write(4))).toBe(4);
		expect(findIn(handOver, write(3))).toBe(4);
	});

	it('is that of each list, until the list is not read any more', () => {
		const memory = new TriggerMemory();
		const [first, second] = [{ scope: 'page 1' }, { scope: 'page 2' }];
		memory.handOverOf(first).note(write(3), false);
		memory.keepOnly([second, first]);
		expect(findIn(memory.handOverOf(second), undefined)).toBeUndefined();
		expect(findIn(memory.handOverOf(first), undefined)).toBe(3);
		memory.keepOnly([second]);
		expect(findIn(memory.handOverOf(first), undefined)).toBeUndefined();
	});

	it('is awaited for half a minute where n8n has to store it with records', () => {
		jest.useFakeTimers({ now });
		const handOver = new HandOver();
		expect(handOver.isUnderWay(undefined)).toBe(false);
		handOver.note(write(3), true);
		expect(handOver.isUnderWay(write(2))).toBe(true);
		expect(handOver.isUnderWay(undefined)).toBe(true);
		expect(handOver.isUnderWay(write(3))).toBe(false);
		jest.setSystemTime(now + 29_999);
		expect(handOver.isUnderWay(write(2))).toBe(true);
		jest.setSystemTime(now + 30_000);
		expect(handOver.isUnderWay(write(2))).toBe(false);
		// A clock that was set back would keep the list waiting for ever.
		jest.setSystemTime(now - 1);
		expect(handOver.isUnderWay(write(2))).toBe(false);
		jest.useRealTimers();
	});
});

test('one poll runs at a time, until it takes too long', async () => {
	jest.useFakeTimers({ now });
	const leases = new Leases();
	const first = leases.take(1_000);
	expect(leases.take(1_000)).toBeUndefined();
	first?.end();
	const second = leases.take(1_000);
	await jest.advanceTimersByTimeAsync(15_999);
	expect(leases.take(1_000)).toBeUndefined();
	await jest.advanceTimersByTimeAsync(1);
	const third = leases.take(1_000);
	second?.end();
	expect([second, third].map((lease) => lease?.isCurrent())).toEqual([false, true]);
	expect(leases.take(1_000)).toBeUndefined();
	jest.useRealTimers();
});

test('a poll that is over leaves no timer behind', () => {
	jest.useFakeTimers({ now });
	new Leases().take(1_000)?.end();
	expect(jest.getTimerCount()).toBe(0);
	jest.useRealTimers();
});

test('a clock that is set back while a poll hangs does not keep the next one waiting', async () => {
	jest.useFakeTimers({ now });
	const leases = new Leases();
	leases.take(1_000);
	jest.setSystemTime(now - 240 * 3_600_000);
	await jest.advanceTimersByTimeAsync(16_000);
	expect(leases.take(1_000)).toBeDefined();
	jest.useRealTimers();
});

test('a poll takes as long as n8n allows, and shorter at a start and in a test', () => {
	const ask = (mode: string, isFirst: boolean, budgetMs?: number) =>
		readBudget(
			{
				getMode: () => mode,
				...(budgetMs === undefined ? {} : { getPollBudgetMs: () => budgetMs }),
			} as IPollFunctions,
			isFirst,
		);
	expect(ask('manual', true, 36_000)).toBe(60_000);
	expect(ask('trigger', false, 36_000)).toBe(36_000);
	expect(ask('trigger', true, 36_000)).toBe(30_000);
	expect(ask('trigger', true, 20_000)).toBe(20_000);
	// Versions of n8n without a budget.
	expect(ask('trigger', false)).toBe(300_000);
	expect(ask('trigger', true)).toBe(30_000);
});

describe('a failed poll', () => {
	const makeList = (pageId: string, hasState: boolean): NoticedList => ({
		scope: `scope of ${pageId}`,
		identity: 'the key',
		pageId,
		hasState,
	});
	const fail = (
		list: NoticedList | undefined,
		passes: boolean,
		error = new Error('down'),
	): Failure => ({
		list,
		error,
		passes,
	});

	/** @returns what begins the polls of some lists */
	function openPolls() {
		const notices = new Notices();
		const begin = (isByPerson: boolean, lists: NoticedList[]) => {
			const attempt = { isByPerson, isFirst: notices.isFirst, hasSettings: true, lists };
			return { attempt, refused: notices.begin(attempt) };
		};
		return { notices, begin };
	}

	it('is told when a person publishes, and is not tried again at once', () => {
		const { notices, begin } = openPolls();
		const lists = ['a', 'b'].map((pageId) => makeList(pageId, false));
		const failure = fail(lists[1], true);
		expect(notices.fail(begin(true, lists).attempt, [failure])).toBe(true);
		expect(begin(true, lists).refused).toEqual([failure]);
		const { attempt, refused } = begin(true, lists);
		expect(notices.fail(attempt, refused)).toBe(true);
		expect(begin(true, lists.slice(0, 1)).refused).toEqual([]);
		expect(begin(true, [{ ...lists[1], identity: 'another key' }]).refused).toEqual([]);
	});

	it('is not tried again at once only while all lists that failed are published', () => {
		jest.useFakeTimers({ now });
		const { notices, begin } = openPolls();
		const lists = ['a', 'b'].map((pageId) => makeList(pageId, false));
		const [a, b] = lists;
		const failures = [fail(a, true), fail(b, true)];
		notices.fail(begin(true, lists).attempt, failures);
		jest.setSystemTime(now + 19_999);
		expect(begin(true, lists).refused).toEqual(failures);
		for (const fewer of [[a], [b]]) expect(begin(true, fewer).refused).toEqual([]);
		expect(begin(true, [a, { ...b, hasState: true }]).refused).toEqual([]);
		jest.setSystemTime(now + 20_000);
		expect(begin(true, lists).refused).toEqual([]);
		jest.useRealTimers();
	});

	it('is told with its latest reasons, for as long as n8n tries it after the first of them', () => {
		jest.useFakeTimers({ now });
		const { notices, begin } = openPolls();
		const lists = ['a', 'b'].map((pageId) => makeList(pageId, false));
		const [a, b] = lists;
		const first = [fail(a, true), fail(b, true)];
		notices.fail(begin(true, lists).attempt, first);
		jest.setSystemTime(now + 10_000);
		notices.fail(begin(true, lists).attempt, [...first]);
		jest.setSystemTime(now + 20_000);
		expect(begin(true, lists).refused).toEqual([]);
		const later = [first[0], fail(b, false, new Error('gone'))];
		notices.fail(begin(true, lists).attempt, later);
		expect(begin(true, lists).refused).toEqual(later);
		jest.useRealTimers();
	});

	it.each([-240, 240])('is tried again after the clock jumped %d hours', (hours) => {
		jest.useFakeTimers({ now });
		const { notices, begin } = openPolls();
		const list = makeList('a', false);
		notices.fail(begin(true, [list]).attempt, [fail(list, true)]);
		jest.setSystemTime(now + hours * 3_600_000);
		expect(begin(true, [list]).refused).toEqual([]);
		jest.useRealTimers();
	});

	it.each([
		['when n8n started the trigger', false],
		['when a person activated it', true],
	])('is told once per outage %s, and again when it does not pass', (_, isByPerson) => {
		const { notices, begin } = openPolls();
		const list = makeList('a', true);
		const poll = (passes: boolean) =>
			notices.fail(begin(isByPerson, [list]).attempt, [fail(list, passes)]);
		// Never at a start.
		expect([true, true, true, false, false, true].map(poll)).toEqual([
			false,
			true,
			false,
			true,
			false,
			false,
		]);
		notices.succeed(list);
		expect([true, true].map(poll)).toEqual([true, false]);
	});

	it('of a page is told beside a page that works, and beside one that never will', () => {
		const { notices, begin } = openPolls();
		const lists = ['a', 'b', 'c'].map((pageId) => makeList(pageId, true));
		const [a, b, c] = lists;
		const poll = (failures: Failure[], working: NoticedList[]) => {
			const { attempt } = begin(false, lists);
			const isTold = failures.length > 0 && notices.fail(attempt, failures);
			for (const list of working) notices.succeed(list);
			return isTold;
		};
		expect(poll([fail(b, false)], [a, c])).toBe(false);
		expect(poll([fail(b, false)], [a, c])).toBe(true);
		expect(poll([fail(b, false)], [a, c])).toBe(false);
		// An outage of the service, which reaches one page after another.
		expect(poll([fail(a, true), fail(b, false)], [c])).toBe(true);
		expect(poll([fail(a, true), fail(b, false), fail(c, true)], [])).toBe(false);
		expect(poll([fail(b, false)], [a, c])).toBe(false);
		expect(poll([fail(b, false), fail(c, true)], [a])).toBe(true);
	});

	it('of a page that was removed hides no other', () => {
		const { notices, begin } = openPolls();
		const [a, b] = ['a', 'b'].map((pageId) => makeList(pageId, true));
		notices.succeed(a);
		expect(notices.fail(begin(false, [a, b]).attempt, [fail(b, true)])).toBe(true);
		expect(notices.fail(begin(false, [a]).attempt, [fail(a, true)])).toBe(true);
	});

	it('of the parameters is told to a person each time', () => {
		const { notices, begin } = openPolls();
		notices.succeed(makeList('a', true));
		const attempt: PollAttempt = { isByPerson: true, isFirst: false };
		for (let tried = 0; tried < 2; tried++)
			expect(notices.fail(attempt, [fail(undefined, false)])).toBe(true);
		expect(begin(true, [makeList('a', true)]).refused).toEqual([]);
	});
});

describe('what n8n is told of several pages', () => {
	const failed = (pageId: string, error: Error): Failure => ({
		list: { scope: pageId, identity: '', pageId, hasState: true },
		error,
		passes: true,
	});
	const down = new Error('No response');

	it('is one message where all fail for one reason', () => {
		expect(joinFailures([failed('a', down)], 1)).toBe(down);
		expect(joinFailures([failed('a', down), failed('b', new Error('No response'))], 2)).toBe(down);
	});

	it('names the pages where not all do, or for several reasons', () => {
		const gone = new Error('Page "b" was not found (404)');
		expect(joinFailures([failed('a', down), failed('b', gone)], 2)).toMatchObject({
			message: 'Page "a": No response; Page "b" was not found (404)',
		});
		const alsoGone = new Error('Page "a" was not found (404)');
		expect(joinFailures([failed('b', gone), failed('a', alsoGone)], 3)).toMatchObject({
			message: 'Page "b" was not found (404); Page "a" was not found (404)',
		});
		expect(joinFailures([failed('a', down)], 2)).toMatchObject({
			message: 'Page "a": No response',
		});
		expect(joinFailures([failed('a', down), failed('b', gone)], 3)).toMatchObject({
			message: 'Page "a": No response; Page "b" was not found (404)',
		});
		expect(joinFailures([failed('b', gone)], 3)).toBe(gone);
	});

	it('says what to do about the first of them', () => {
		const failures = ['a', 'b'].map((pageId) =>
			failed(pageId, Object.assign(new Error('Slow'), { description: `Look at ${pageId}.` })),
		) as [Failure, Failure];
		expect(joinFailures(failures, 3)).toMatchObject({
			message: 'Page "a": Slow; Page "b": Slow',
			description: 'Look at a.',
		});
	});
});

describe('turns', () => {
	const lists = [...'abcd'].map((scope) => ({ scope }));

	/** Lists that need so many seconds each. @returns how many each got in a poll */
	async function poll(
		turns: Turns,
		needs: number[],
		budgetS: number,
	): Promise<Array<number | undefined>> {
		const deadline = new Deadline(budgetS * 1_000);
		const taken = turns.take(lists, deadline, async (list, turn) => {
			const begun = performance.now();
			await turn.keep(sleep(needs[lists.indexOf(list)] * 1_000)).catch(() => undefined);
			return Math.round((performance.now() - begun) / 1_000);
		});
		await jest.advanceTimersByTimeAsync(budgetS * 1_000);
		deadline.close();
		const results = await taken;
		return lists.map((list) => results.get(list));
	}

	beforeEach(() => void jest.useFakeTimers({ now }));
	afterEach(() => void jest.useRealTimers());

	it('are equal shares of what the others leave', async () => {
		const turns = new Turns();
		expect(await poll(turns, [900, 0, 900, 900], 400)).toEqual([100, 0, 150, 150]);
		expect(await poll(turns, [0, 0, 0, 900], 300)).toEqual([0, 0, 0, 300]);
		expect(await poll(turns, [900, 900, 900, 900], 300)).toEqual([75, 75, 75, 75]);
	});

	it('are long enough for a slow response, and those without one are first in the next poll', async () => {
		const turns = new Turns();
		expect(await poll(turns, [900, 900, 900, 900], 36)).toEqual([10, 10, 10, undefined]);
		expect(await poll(turns, [900, 900, 900, 900], 36)).toEqual([10, 10, undefined, 10]);
		expect(await poll(turns, [1, 900, 900, 1], 36)).toEqual([1, 24, 10, 1]);
		expect(await poll(new Turns(), [900, 900, 900, 900], 30)).toEqual([10, 10, 10, undefined]);
	});

	it('are at least one, however little time is left', async () => {
		const none = undefined;
		expect(await poll(new Turns(), [900, 900, 900, 900], 5)).toEqual([5, none, none, none]);
	});

	it('come once in a poll', async () => {
		const turns = new Turns();
		await poll(turns, [900, 900, 900, 900], 36);
		const taken: string[] = [];
		const work = async ({ scope }: { scope: string }) => await Promise.resolve(taken.push(scope));
		await turns.take(lists, new Deadline(300_000), work);
		expect(taken).toEqual([...'dabc']);
	});

	it('leave no timer behind', async () => {
		const deadline = new Deadline(300_000);
		await new Turns().take(lists, deadline, async () => await Promise.resolve());
		deadline.close();
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe('a deadline', () => {
	const never = new Promise<never>(() => undefined);

	beforeEach(() => void jest.useFakeTimers({ now }));
	afterEach(() => void jest.useRealTimers());

	/** @returns the message with which waiting ends, and after how many milliseconds */
	async function wait(deadline: Deadline): Promise<unknown[]> {
		const begun = performance.now();
		const ended = deadline
			.keep(never)
			.catch((error: Error) => [error.message, performance.now() - begun]);
		await jest.advanceTimersByTimeAsync(60_000);
		return await ended;
	}

	it.each([
		['its budget', () => new Deadline(10_000), 10_000],
		['a shorter time within it', () => new Deadline(10_000).within(4_000), 4_000],
		[
			'its budget where a part of it would be longer',
			() => new Deadline(10_000).within(20_000),
			10_000,
		],
	])('ends what is under way after %s', async (_, open, ms) => {
		expect(await wait(open())).toEqual(['The time of this poll is over', ms]);
	});

	it('ends nothing once it is closed', async () => {
		const deadline = new Deadline(10_000);
		deadline.close();
		await jest.advanceTimersByTimeAsync(10_000);
		expect(deadline.signal.aborted).toBe(false);
	});
});
