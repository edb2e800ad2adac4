import type { INodeParameters } from 'n8n-workflow';

/** A log for each contact, unless an earlier night has written it. */
export const nightlySync = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	type: 'contact',
	// Each record is of a person of its own: the entries of one person would go out one after another.
	person: { email: '=p{{ String($json.id).replace(/[^0-9a-z]/gi, "") }}@crm.example' },
	payloadMode: 'inputItem',
	write: 'changed',
	recordId: '={{ $json.id }}',
	recordVersion: '={{ $json.version }}',
} as const satisfies INodeParameters;
