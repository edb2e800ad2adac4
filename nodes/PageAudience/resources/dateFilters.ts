import type { INodeProperties } from 'n8n-workflow';
import { filters } from './collections';

/** The period of sessions and analytics. The API does not say whether its dates are inclusive. */
export const dateFilters = {
	...filters,
	options: [
		{
			displayName: 'End Date',
			name: 'endDate',
			type: 'dateTime',
			default: '',
			description:
				"End of the period, e.g. 2026-01-31 or 2026-01-31T08:00:00+01:00. Without an offset, the workflow's time zone applies.",
		},
		{
			displayName: 'Start Date',
			name: 'startDate',
			type: 'dateTime',
			default: '',
			description:
				"Start of the period, e.g. 2026-01-31 or 2026-01-31T08:00:00+01:00. Without an offset, the workflow's time zone applies.",
		},
	],
} as const satisfies INodeProperties;
