import { path } from '../../../api/path';
import { personShape } from '../../../records/shapes';
import { defineOperation } from '../../operation/operation';

export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many persons',
		description: 'List people',
	},
	properties: [],
	request: () => ({ method: 'GET', path: path`/persons` }),
	paging: 'cursor',
	output: { shape: personShape },
});
