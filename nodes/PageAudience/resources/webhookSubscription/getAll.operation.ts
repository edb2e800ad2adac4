import { path } from '../../../api/path';
import { readBareList } from '../../../api/response';
import { copyMasked } from '../../../api/triggerUrl';
import { defineOperation } from '../../operation/operation';

export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many webhook subscriptions',
		description: 'List all webhook subscriptions',
	},
	properties: [],
	request: () => ({ method: 'GET', path: path`/webhook_subscriptions` }),
	records: (response) => readBareList(response).map(copyMasked),
});
