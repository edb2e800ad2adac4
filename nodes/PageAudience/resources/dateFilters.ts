import type { INodeProperties } from 'n8n-workflow';
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
				"The end of the time span, e.g. 2026-01-31 or 2026-01-31T08:00:00+01:00; in the workflow's time zone unless the value names one",
		},
		{
			displayName: 'Start Date',
			name: 'startDate',
			type: 'dateTime',
			default: '',
			description:
				"The start of the time span, e.g. 2026-01-31 or 2026-01-31T08:00:00+01:00; in the workflow's time zone unless the value names one",
		},
	],
} as const satisfies INodeProperties;
