import type { Resource } from '../../operation/operation';
import { create } from './create.operation';
import { getActivity } from './getActivity.operation';
import { search } from './search.operation';
import { update } from './update.operation';
import { upsert } from './upsert.operation';

export const account: Resource = {
	option: { name: 'Account', value: 'account' },
	operations: [create, upsert, getActivity, search, update],
};
