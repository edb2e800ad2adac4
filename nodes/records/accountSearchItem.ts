import type { RecordShape } from './shape';

/** An account as the search returns it. */
export const accountSearchItemShape = {
	id: 'accountId',
	fields: [
		'accountId',
		'tenantId',
		'domain',
		'name',
		'createdAt',
		'updatedAt',
		'latestActivityAt',
		'linkedPersonsCount',
	],
} as const satisfies RecordShape;
