import { defineResource } from '../../operation/operation';
import { getAll } from './getAll.operation';
import { getInteractions } from './getInteractions.operation';

export const audienceSession = defineResource({
	option: { name: 'Audience Session', value: 'audienceSession' },
	operations: [getInteractions, getAll],
});
