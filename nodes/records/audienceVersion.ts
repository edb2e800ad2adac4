import type { RecordShape } from './shape';

export const versionShape = {
	id: 'versionId',
	fields: [
		'versionId',
		'versionNumber',
		'audienceId',
		'tenantId',
		'status',
		'isNewPageAgent',
		'supplementaryContext',
		'createdAt',
		'queuedAt',
		'becameDraftAt',
		'publishedAt',
		'cancelledAt',
		'obsoleteAt',
		'archivedAt',
		'queueDurationMs',
	],
	simplified: [
		'versionId',
		'audienceId',
		'versionNumber',
		'status',
		'isNewPageAgent',
		'supplementaryContext',
		'createdAt',
		'publishedAt',
		'archivedAt',
		'queueDurationMs',
	],
} as const satisfies RecordShape;
