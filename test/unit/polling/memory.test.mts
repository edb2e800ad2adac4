import { Leases } from '../../../nodes/PageAudiencePollingTrigger/memory/lease.ts';
import {
	Notices,
	type PollAttempt,
} from '../../../nodes/PageAudiencePollingTrigger/memory/notices.ts';
import { noHistory } from '../../../nodes/PageAudiencePollingTrigger/state/history.ts';
import {
	HandOver,
	readState,
	writeState,
} from '../../../nodes/PageAudiencePollingTrigger/state/stored.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('the state that the process knows', () => {
	const write = (writtenAt: number, scope = 'page 1') =>
		writeState(scope, { ...noHistory, readAt: writtenAt }, writtenAt);
	const findIn = (handOver: HandOver, given: unknown, scope = 'page 1') =>
		handOver.findState(readState(given, scope), scope)?.writtenAt;

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

	it('belongs to its scope', () => {
		const handOver = new HandOver();
		handOver.note(write(3), false);
		expect(findIn(handOver, write(1), 'page 2')).toBeUndefined();
		expect(findIn(handOver, write(1, 'page 2'), 'page 2')).toBe(1);
		expect(findIn(handOver, undefined)).toBeUndefined();
	});

	it('is awaited for half a minute where n8n has to store it with records', () => {
		jest.useFakeTimers({ now });
		const handOver = new HandOver();
		handOver.note(write(3), true);
		expect(handOver.isUnderWay(write(2), 'page 1')).toBe(true);
		expect(handOver.isUnderWay(undefined, 'page 1')).toBe(true);
		expect(handOver.isUnderWay(write(3), 'page 1')).toBe(false);
		expect(handOver.isUnderWay(undefined, 'page 2')).toBe(false);
		jest.setSystemTime(now + 30_000);
		expect(handOver.isUnderWay(write(2), 'page 1')).toBe(false);
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

test('a clock that is set back while a poll hangs does not keep the next one waiting', async () => {
	jest.useFakeTimers({ now });
	const leases = new Leases();
	leases.take(1_000);
	jest.setSystemTime(now - 240 * 3_600_000);
	await jest.advanceTimersByTimeAsync(16_000);
	expect(leases.take(1_000)).toBeDefined();
	jest.useRealTimers();
});

describe('a failed poll', () => {
	const list = { scope: 'page 1', identity: 'the key' };

	/** @returns what begins the polls, and what ends one */
	function openPolls() {
		const notices = new Notices();
		const begin = (isByPerson: boolean, hasState: boolean) => {
			const attempt: PollAttempt = { isByPerson, hasSettings: true, list, hasState };
			notices.begin(attempt);
			return attempt;
		};
		return { notices, begin };
	}

	it('is told when a person publishes, and is not tried again at once', () => {
		const { notices, begin } = openPolls();
		const error = new Error('refused');
		expect(notices.fail(begin(true, false), error, true)).toBe(true);
		expect(() => begin(true, false)).toThrow(error);
	});

	it.each([-240, 240])('is tried again after the clock jumped %d hours', (hours) => {
		jest.useFakeTimers({ now });
		const { notices, begin } = openPolls();
		notices.fail(begin(true, false), new Error('refused'), true);
		jest.setSystemTime(now + hours * 3_600_000);
		expect(() => begin(true, false)).not.toThrow();
		jest.useRealTimers();
	});

	it('is told once per outage, and again when it does not pass, but not at a start', () => {
		const { notices, begin } = openPolls();
		const fail = (passes: boolean) => notices.fail(begin(false, true), new Error('down'), passes);
		expect([true, true, true, false, false, true].map(fail)).toEqual([
			false,
			true,
			false,
			true,
			false,
			false,
		]);
		notices.succeed(begin(false, true));
		expect([true, true].map(fail)).toEqual([true, false]);
	});
});
