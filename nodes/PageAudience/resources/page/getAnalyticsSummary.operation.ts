import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../api/path';
import type { ApiResponse } from '../../../api/request';
import { readRecord } from '../../../api/response';
import { pageId } from '../../../parameters/locators';
import { ItemRefusedError } from '../../../parameters/problem';
import { defineOperation } from '../../operation/operation';
import { checkTimeSpan, dateFilters } from '../dateFilters';
import { splitTimeSpan, type TimeWindow, type WindowUnit } from './windows';

export const getAnalyticsSummary = defineOperation({
	option: {
		name: 'Get Analytics Summary',
		value: 'getAnalyticsSummary',
		action: 'Get page analytics summary',
		description: 'Get session, engagement and conversion figures of a page',
		builderHint: {
			propertyHint:
				'For figures over time, set splitBy and both dates: each window is one item. Do not average rates and averages of several windows: for a longer period, ask for that period.',
		},
	},
	properties: [
		pageId,
		{
			displayName: 'Split By',
			name: 'splitBy',
			type: 'options',
			default: 'none',
			hint: 'To split the period, set Start Date and End Date below.',
			description:
				"Whether to split the period into one item per day, week or month. Each item begins with windowStart and windowEnd. The workflow's time zone applies, and weeks begin on Monday.",
			options: [
				{ name: 'Day', value: 'day' },
				{ name: 'Month', value: 'month' },
				{ name: 'None', value: 'none' },
				{ name: 'Week', value: 'week' },
			],
		},
		// Open from the start, because a split requires both dates.
		{ ...dateFilters, default: { startDate: '', endDate: '' } },
	],
	request: ({ pageId: id, filters, splitBy }, { zone }) => {
		const query = checkTimeSpan(filters);
		if (splitBy !== 'none') splitPeriod(query, splitBy, zone);
		return { method: 'GET', path: path`/pages/${id}/analytics/summary`, query };
	},
	read: async ({ filters, splitBy }, call, { request }) => {
		if (splitBy === 'none') return [readSummary(await call.send(request))];
		const windows = splitPeriod(filters, splitBy, call.zone);
		const responses = await call.sendAll(
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
			pageId: { type: 'string', from: ({ pageId: id }) => id },
			windowStart: { type: 'string', with: 'Split By' },
			windowEnd: { type: 'string', with: 'Split By' },
		},
	},
});

/** @throws {ItemRefusedError} without both dates, or for too many windows */
function splitPeriod(
	{ startDate, endDate }: { startDate?: string; endDate?: string },
	unit: WindowUnit,
	zone: string,
): TimeWindow[] {
	if (startDate && endDate) return splitTimeSpan({ startDate, endDate }, unit, zone);
	const missing = [...(startDate ? [] : ['Start Date']), ...(endDate ? [] : ['End Date'])];
	throw new ItemRefusedError(
		missing.map((label) => ({
			parameter: `Filters > ${label}`,
			message: 'is required with Split By',
		})),
	);
}

/** A summary has no ID, and every one has this figure. */
function readSummary(response: ApiResponse): IDataObject {
	return readRecord(response, 'totalSessions');
}
