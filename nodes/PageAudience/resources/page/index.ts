import { defineResource } from '../../operation/operation';
import { create } from './create.operation';
import { getAnalyticsSummary } from './getAnalyticsSummary.operation';
import { search } from './search.operation';
import { update } from './update.operation';

export const page = defineResource({
	option: { name: 'Page', value: 'page' },
	operations: [create, getAnalyticsSummary, search, update],
});
