import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../../api/request';
import type { Call } from '../../operation/call';

/** The pauses between readings: short at first, because most sessions that are late are late by seconds. */
const firstPauseMs = 2_000;
const growth = 1.5;
const longestPauseMs = 15_000;

/** The list of a page's sessions, read again and again while items wait. All items share the readings. */
export class SessionReadings {
	private readonly request: ApiRequest;

	/** When each reading is due, in milliseconds after the first one. */
	private readonly dueMs: number[];

	private readonly readings: Array<Promise<IDataObject[]>> = [];

	private firstEnd = 0;

	constructor(request: ApiRequest, waitMs: number) {
		this.request = request;
		this.dueMs = listDueTimes(waitMs);
	}

	/**
	 * The list as one reading found it.
	 * @param turn 0 for the first reading
	 * @returns undefined when nobody waits so long
	 * @throws as the list does
	 */
	async take(turn: number, call: Call): Promise<IDataObject[] | undefined> {
		const dueMs = this.dueMs[turn];
		if (dueMs === undefined) return undefined;
		return await (this.readings[turn] ??= this.read(dueMs, call));
	}

	private async read(dueMs: number, call: Call): Promise<IDataObject[]> {
		if (dueMs > 0) await call.wait(Math.max(0, this.firstEnd + dueMs - Date.now()));
		const sessions = await call.openList(this.request).readAll();
		if (dueMs === 0) this.firstEnd = Date.now();
		return sessions;
	}
}

/** The last reading is due when the time is over. */
export function listDueTimes(waitMs: number): number[] {
	const times = [0];
	for (let pause = firstPauseMs, at = pause; at < waitMs; at += pause) {
		times.push(at);
		pause = Math.min(pause * growth, longestPauseMs);
	}
	if (waitMs > 0) times.push(waitMs);
	return times;
}
