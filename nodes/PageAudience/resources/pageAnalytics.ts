import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { type ApiResponse, at, GET } from '../../api/request';
import { readRecord } from '../../api/response';
import { choiceField } from '../../parameters/fields';
import { pageId } from '../../parameters/locators';
import { refuseItem } from '../../parameters/problem';
import { defineOperation } from '../operation/operation';
import { checkTimeSpan, dateFilters } from './collections';

export const getAnalyticsSummary = defineOperation({
	name: 'Get Analytics Summary',
	value: 'getAnalyticsSummary',
	action: 'Get page analytics summary',
	description: 'Get session, engagement and conversion figures of a page',
	forModels:
		'For figures over time, set splitBy and both dates: each window is one item. Do not average rates and averages of several windows: for a longer period, ask for that period.',
	properties: [
		pageId,
		choiceField(
			'Split By',
			'splitBy',
			"Whether to return one item per day, week or month. The workflow's time zone applies, and weeks begin on Monday.",
			{ none: 'None', day: 'Day', month: 'Month', week: 'Week' },
			{ hint: 'To split the period, set Start Date and End Date below.' },
		),
		// Open from the start, because a split requires both dates.
		{ ...dateFilters, default: { startDate: '', endDate: '' } },
	],
	request: ({ pageId: id, filters, splitBy }, { zone }) => {
		const query = checkTimeSpan(filters);
		if (splitBy !== 'none') splitTimeSpan(query, splitBy, zone);
		return GET(at.page`/pages/${id}/analytics/summary`, query);
	},
	run: async ({ filters, splitBy }, run) => {
		const { request } = run;
		if (splitBy === 'none') return [readSummary(await run.send(request))];
		const windows = splitTimeSpan(filters, splitBy, run.n8n.getTimezone());
		const responses = await run.sendAll(
			windows.map(({ windowStart: startDate, windowEnd: endDate }) => ({
				...request,
				query: { startDate, endDate },
			})),
		);
		// First in the output, unless the service has such fields itself.
		return responses.map((response, i) => ({ ...windows[i], ...readSummary(response) }));
	},
	output: {
		adds: {
			pageId: { type: 'string', value: ({ pageId: id }) => id },
			windowStart: { type: 'string', requires: 'Split By' },
			windowEnd: { type: 'string', requires: 'Split By' },
		},
	},
});

/** A summary has no ID, and every one has this figure. */
const readSummary = (response: ApiResponse): IDataObject => readRecord(response, 'totalSessions');

export type WindowUnit = 'day' | 'week' | 'month';

/** A part of a time span, in RFC 3339 with an offset. Both ends belong to it. */
interface TimeWindow {
	windowStart: string;
	windowEnd: string;
}

/** Each window is a request. A year of days fits. */
export const mostWindows = 400;

/**
 * The days, weeks or months of a time span in the time zone, in order and without gaps: a window begins a millisecond
 * after the one before it. The first and the last are cut to the span. Weeks begin on Monday.
 * @throws {ItemRefusedError} without both dates, or for too many windows
 */
export function splitTimeSpan(
	{ startDate, endDate }: { startDate?: string; endDate?: string },
	unit: WindowUnit,
	zone: string,
): TimeWindow[] {
	if (!startDate || !endDate) refuseItem('Split By', 'requires Start Date and End Date');
	const end = DateTime.fromISO(endDate, { zone });
	const windows: TimeWindow[] = [];
	let start: DateTime<boolean> = DateTime.fromISO(startDate, { zone });
	while (start < end) {
		if (windows.length === mostWindows)
			refuseItem(
				'Split By',
				`divides the period into more than ${mostWindows} ${unit}s. Choose a shorter period or a larger unit`,
			);
		const next = start.plus({ [unit]: 1 }).startOf(unit);
		// If the span ends with the first moment of the next window, this window takes that moment.
		const last = next < end ? next.minus(1) : end;
		windows.push({ windowStart: write(start), windowEnd: write(last) });
		start = next;
	}
	return windows;
}

const write = (moment: DateTime<boolean>) => moment.toISO({ suppressMilliseconds: true }) ?? '';
