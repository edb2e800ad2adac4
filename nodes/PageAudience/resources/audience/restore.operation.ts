import { path } from '../../../api/path';
import { audienceId, pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { audienceShape } from '../../../records/shapes';

export const restore = defineOperation({
	option: {
		name: 'Restore',
		value: 'restore',
		action: 'Restore audience',
		description: 'Restore an archived audience',
	},
	properties: [pageId, audienceId],
	writes: { id: 'audienceId', changes: (values) => [`audience ${values.audienceId}`] },
	request: (values) => ({
		method: 'POST',
		path: path`/pages/${values.pageId}/audiences/${values.audienceId}/restore`,
		body: {},
		// Restoring a restored audience changes nothing.
		repeatable: true,
	}),
	output: { shape: audienceShape },
});
