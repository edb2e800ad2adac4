import type { INodeProperties } from 'n8n-workflow';
import { refuseItem } from '../../parameters/problem';
import { filters } from './collections';

/** The period of sessions and analytics. The API does not say whether its dates are inclusive. */
export const dateFilters = {
	...filters,
	options: [
		{
			displayName: 'Start Date',
			name: 'startDate',
			type: 'dateTime',
			default: '',
			description:
				"Start of the period, e.g. 2026-01-31 or 2026-01-31T08:00:00+01:00. Without an offset, the workflow's time zone applies.",
		},
		{
			displayName: 'End Date',
			name: 'endDate',
			type: 'dateTime',
			default: '',
			description:
				"End of the period. A day, as the date picker and $today give it, includes that whole day. Without an offset, the workflow's time zone applies.",
		},
	],
} as const satisfies INodeProperties;

/**
 * The time span to send.
 * @throws {ItemRefusedError} when it has no length, or runs backwards: the service would return nothing without a word
 */
export function checkTimeSpan<T extends { startDate?: string; endDate?: string }>(span: T): T {
	const { startDate, endDate } = span;
	if (startDate && endDate && Date.parse(startDate) >= Date.parse(endDate))
		refuseItem('Filters > Start Date', `(${startDate}) must be before End Date (${endDate})`);
	return span;
}
