import { defineResource } from '../../operation/operation';
import { update } from './update.operation';

export const pageLink = defineResource({
	option: { name: 'Page Link', value: 'pageLink' },
	operations: [update],
});
