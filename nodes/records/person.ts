import type { RecordShape } from './shape';

export const personShape = {
	id: 'personId',
	fields: [
		'personId',
		'tenantId',
		'name',
		'email',
		'domain',
		'slug',
		'phoneNumber',
		'linkedinProfileUrl',
		'createdAt',
		'updatedAt',
	],
} as const satisfies RecordShape;
