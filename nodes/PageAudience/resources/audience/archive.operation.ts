import { path } from '../../../api/path';
import { audienceId, pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { audienceShape } from '../../../records/shapes';

export const archive = defineOperation({
	option: {
		name: 'Archive',
		value: 'archive',
		action: 'Archive audience',
		description: 'Archive an audience. Use Restore to bring it back.',
	},
	properties: [pageId, audienceId],
	writes: { id: 'audienceId', changes: (values) => [`audience ${values.audienceId}`] },
	request: (values) => ({
		method: 'DELETE',
		path: path`/pages/${values.pageId}/audiences/${values.audienceId}`,
	}),
	output: { shape: audienceShape },
});
