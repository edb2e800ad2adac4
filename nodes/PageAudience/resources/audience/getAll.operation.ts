import { path } from '../../../api/path';
import { pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { audienceShape } from '../../../records/shapes';

export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many audiences',
		description: 'List the audiences of a page',
	},
	properties: [pageId],
	request: ({ pageId: id }) => ({ method: 'GET', path: path`/pages/${id}/audiences` }),
	paging: 'cursor',
	output: { shape: audienceShape },
});
