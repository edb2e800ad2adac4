import type { Resource } from '../../operation/operation';
import { getAll } from './getAll.operation';
import { getByFormSubmission } from './getByFormSubmission.operation';
import { getInteractions } from './getInteractions.operation';

export const audienceSession: Resource = {
	option: { name: 'Audience Session', value: 'audienceSession' },
	operations: [getByFormSubmission, getInteractions, getAll],
};
