import type { RecordShape } from '../../operation/output';

export const activity = {
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
