import type { INodeParameters } from 'n8n-workflow';
import { onlyNewOrChanged } from '../../groups.mts';

/** A log for each contact, unless an earlier night has written it. */
export const nightlySync = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	type: 'contact',
	// Each record is of a person of its own: the entries of one person would go out one after another.
	person: { email: '=p{{ String($json.id).replace(/[^0-9a-z]/gi, "") }}@crm.example' },
	payloadMode: 'inputItem',
	options: onlyNewOrChanged('={{ $json.id }}', { recordVersion: '={{ $json.version }}' }),
} satisfies INodeParameters;
