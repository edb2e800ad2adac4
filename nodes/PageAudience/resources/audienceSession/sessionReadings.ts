import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../../api/request';
import type { Call } from '../../operation/call';

/** The pauses between readings: short at first, because most sessions that are late are late by seconds. */
const firstPauseMs = 2_000;
const growth = 1.5;
const longestPauseMs = 15_000;

/**
 * The list as one reading found it.
 * @param turn 0 for the first reading
 * @returns undefined when nobody waits so long
 * @throws as the list does
 */
type TakeReading = (turn: number, call: Call) => Promise<IDataObject[] | undefined>;

/** The list of a page's sessions, read again and again while items wait. All items share the readings. */
export function openReadings(request: ApiRequest, waitMs: number): TakeReading {
	const dueTimes = listDueTimes(waitMs);
	const readings: Array<Promise<IDataObject[]>> = [];
	let firstEnd = 0;
	const read = async (dueMs: number, call: Call): Promise<IDataObject[]> => {
		if (dueMs > 0) await call.wait(Math.max(0, firstEnd + dueMs - Date.now()));
		const sessions = await call.openList(request).readAll();
		if (dueMs === 0) firstEnd = Date.now();
		return sessions;
	};
	return async (turn, call) => {
		const dueMs = dueTimes[turn];
		if (dueMs === undefined) return undefined;
		return await (readings[turn] ??= read(dueMs, call));
	};
}

/** In milliseconds after the first reading. The last one is due when the time is over. */
export function listDueTimes(waitMs: number): number[] {
	const times = [0];
	for (let pause = firstPauseMs, at = pause; at < waitMs; at += pause) {
		times.push(at);
		pause = Math.min(pause * growth, longestPauseMs);
	}
	if (waitMs > 0) times.push(waitMs);
	return times;
}
