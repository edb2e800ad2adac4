import type { INodeParameters } from 'n8n-workflow';

/** A log for each contact, unless an earlier night has written it. */
export const nightlySync = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	type: 'contact',
	person: { email: 'ada.berg@alpha.example' },
	payloadMode: 'inputItem',
	write: 'changed',
	recordId: '={{ $json.id }}',
	recordVersion: '={{ $json.version }}',
} as const satisfies INodeParameters;
