import type { Resource } from '../../operation/operation';
import { create } from './create.operation';
import { getAnalyticsSummary } from './getAnalyticsSummary.operation';
import { search } from './search.operation';
import { update } from './update.operation';

export const page: Resource = {
	option: { name: 'Page', value: 'page' },
	operations: [create, getAnalyticsSummary, search, update],
};
