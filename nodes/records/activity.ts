import type { RecordShape } from './shape';

export const activityShape = {
	id: 'activityId',
	fields: [
		'activityId',
		'activityType',
		'accountId',
		'accountLogId',
		'personId',
		'personLogId',
		'personName',
		'source',
		'type',
		'payload',
		'idempotencyKey',
		'createdAt',
		'updatedAt',
		'deletedAt',
	],
	simplified: [
		'activityId',
		'activityType',
		'accountId',
		'personId',
		'personName',
		'source',
		'type',
		'payload',
		'createdAt',
		'updatedAt',
	],
} as const satisfies RecordShape;
