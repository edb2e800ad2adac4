import { path } from '../../../api/path';
import { length, nonBlank } from '../../../parameters/checks';
import { defineOperation } from '../../operation/operation';
import { additionalFields } from '../collections';
import { contactFields, newPersonChecks, personName } from '../contactFields';

export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create person',
		description:
			'Create a person. The API cannot change or delete people later. Create or Get is safer: after a crash of n8n, retrying this operation creates people again.',
	},
	properties: [
		{ ...personName, required: true },
		{ ...additionalFields, options: contactFields },
	],
	checks: { name: nonBlank(length(1, 255)), additionalFields: newPersonChecks },
	writes: { id: 'personId' },
	request: ({ name, additionalFields }) => ({
		method: 'POST',
		path: path`/persons`,
		body: { name, ...additionalFields },
	}),
});
