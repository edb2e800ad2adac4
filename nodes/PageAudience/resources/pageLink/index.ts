import type { Resource } from '../../operation/operation';
import { update } from './update.operation';

export const pageLink: Resource = {
	option: { name: 'Page Link', value: 'pageLink' },
	notice: 'The API cannot list page links. Copy the ID of the page link from the service.',
	operations: [update],
};
