import type { INodeProperties } from 'n8n-workflow';
import { refuseItem } from '../../parameters/problem';
import { filters } from './collections';

/** The time span of sessions and analytics. Whether its edges count is not documented. */
export const dateFilters = {
	...filters,
	options: [
		{
			displayName: 'End Date',
			name: 'endDate',
			type: 'dateTime',
			default: '',
			description:
				"End of the time span. A date without a time, as the date picker sets it, includes that whole day. Without a time zone, the workflow's applies.",
		},
		{
			displayName: 'Start Date',
			name: 'startDate',
			type: 'dateTime',
			default: '',
			description: "Start of the time span. Without a time zone, the workflow's applies.",
		},
	],
} as const satisfies INodeProperties;

/**
 * The time span to send.
 * @throws {ItemRefusedError} when it runs backwards, for which the service might return nothing without a word
 */
export function checkTimeSpan<T extends { startDate?: string; endDate?: string }>(span: T): T {
	const { startDate, endDate } = span;
	if (startDate && endDate && Date.parse(startDate) > Date.parse(endDate))
		refuseItem('Filters > Start Date', `(${startDate}) is after End Date (${endDate})`);
	return span;
}
